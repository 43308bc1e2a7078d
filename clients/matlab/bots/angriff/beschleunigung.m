function bes = beschleunigung (spiel, farbe)
% Attacks: refuels until it has more than the opponent, then flies to where he is going to be.

    if strcmp (farbe, 'rot')
        ich = spiel.rot;
        gegner = spiel.blau;
    else
        ich = spiel.blau;
        gegner = spiel.rot;
    end

    if ich.getankt > gegner.getankt || spiel.n_tanke == 0
        dauer = sqrt (2 * norm (gegner.pos - ich.pos) / spiel.bes);
        ziel = min (max (gegner.pos + gegner.ges * dauer / 2, 0.02), 0.98);
    else
        tanken = reshape ([spiel.tanke.pos], 2, [])';
        [~, k] = min (sum ((tanken - ich.pos) .^ 2, 2));
        ziel = tanken(k, :);
    end
    bes = fangnetz_steuern (spiel, ich, ziel);
end
