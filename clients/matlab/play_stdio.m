% Let a beschleunigung.m play from Octave, by lines on standard input and output:
%
%     fangnetz-bot bridge --says-ready --game spaceballs --name NAME -- octave-cli -qf play_stdio.m BOT
%
% BOT is the folder of the bot, or its beschleunigung.m. See docs/how-to/write-a-bot-in-octave.md.

history_save (false); % Else it complains at its end where there is no place for a history.
addpath (fileparts (mfilename ('fullpath')));
words = argv ();
try
    if numel (words) ~= 1
        error ('usage: octave-cli -qf play_stdio.m BOT, where BOT is the folder of a beschleunigung.m');
    end
    play = fangnetz_open (words{1});
catch problem
    fprintf (stderr, '%s\n', problem.message);
    exit (2);
end
clear words problem

while true
    try
        line = input ('', 's'); % fgetl would wait for the first character of the line after.
    catch
        break
    end
    [play, answer] = fangnetz_hear (play, line);
    if ~isempty (answer)
        fputs (stdout, [answer, "\n"]);
        fflush (stdout);
    end
end
