function [play, thrust] = decide (play, seen)
% DECIDE  Ask the bot about an observation. Whatever it does, there is a direction to answer with.

    play.match = look (play.match, seen);
    spiel = play.match.spiel; %#ok<NASGU> for evalc
    farbe = play.match.farbe; %#ok<NASGU>
    fault = [];
    bes = [];
    % What the bot prints goes to standard error: standard output may be the line to the bridge.
    printed = evalc ('[bes, fault] = guarded (spiel, farbe);');
    if ~isempty (printed)
        say (printed);
    end
    if isempty (fault)
        [thrust, problem] = checked (bes);
        if ~isempty (problem)
            play = report (play, seen.tick, place_of (play.file), problem);
        end
    else
        thrust = [0, 0];
        play = report (play, seen.tick, place_of_fault (fault, play), first_line (fault.message));
    end
end

function play = report (play, tick, place, problem)
    text = sprintf ('%s: %s (tick %d; the ball coasts; this is told once a match)', place, problem, tick);
    play = complain (play, [place, ' ', problem], text);
end

function place = place_of_fault (fault, play)
% The innermost line of the bot's own files, as FILE:LINE.
    place = play.file;
    for k = 1 : numel (fault.stack)
        if strncmp (fault.stack(k).file, play.folder, numel (play.folder))
            place = sprintf ('%s:%d', fault.stack(k).file, fault.stack(k).line);
            return
        end
    end
end
