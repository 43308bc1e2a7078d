function [play, answer] = fangnetz_hear (play, line)
% FANGNETZ_HEAR  Take one line of the bridge and return what to answer, '' for nothing.
%
%   [PLAY, ANSWER] = fangnetz_hear (PLAY, LINE), where PLAY comes from fangnetz_open.

    answer = '';
    message = jsondecode (line);
    switch message.type
        case 'match_start'
            [play, answer] = begin (play, message);
        case 'observation'
            [play, thrust] = decide (play, message);
            answer = sprintf ('{"type":"action","tick":%d,"thrust":[%.17g,%.17g]}', message.tick, thrust);
        case 'match_end'
            if ~isempty (play.match)
                points = message.points(play.match.seat + 1);
                say (sprintf ('match %s is over: %s, %g points', message.match, message.reason, points));
            end
        case 'error'
            play = complain (play, message.code, sprintf ('the server says: %s', message.message));
    end
end

function [play, answer] = begin (play, start)
% Every match gets a fresh bot: what it kept in persistent variables is gone.
    if ~strcmp (start.game, 'spaceballs')
        say (sprintf ('match %s is left: a beschleunigung.m plays spaceballs, not %s', start.match, start.game));
        play.match = [];
        answer = '{"type":"leave"}';
        return
    end
    files = dir (fullfile (play.folder, '*.m'));
    for k = 1 : numel (files)
        [~, name] = fileparts (files(k).name);
        forget (name);
    end
    play.match = open_match (start);
    play.told = {};
    answer = '{"type":"ready"}';
end

function forget (name_of_a_function)
% In a function of its own: clear takes a variable of that name, too.
    clear (name_of_a_function);
end
