"""Tournaments as values: formats, pairings, standings and ratings. Nothing here keeps state or waits.

- `reading.parse_spec` turns a tournament file into a `spec.TournamentSpec`;
- `values.History` is what has happened: pairings handed out, results, withdrawals;
- `engine.next_pairings` says what is to be played now, `engine.is_complete` whether that was all;
- `absence.disposition` says what becomes of a pairing whose bots are not all there;
- `standings.standings`, `crosstable.crosstable`, `ratings.ratings` and `elo` say how it stands;
- `sprt.SprtState` decides a comparison of two bots, over the games of `meeting.paired_games`.
"""
