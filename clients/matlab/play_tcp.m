function play_tcp (bot, port, host)
% PLAY_TCP  Let a beschleunigung.m play from MATLAB, by lines over a local TCP port.
%
%   PLAY_TCP (BOT, PORT) connects to a bridge that was started with
%       fangnetz-bot bridge --says-ready --game spaceballs --name NAME --tcp 127.0.0.1:PORT
%   and plays until the bridge ends, or until Ctrl-C.
%
%   BOT is the folder of the bot, or its beschleunigung.m. HOST is 127.0.0.1 unless it is given.
%   In Octave it needs the package instrument-control; play_stdio.m needs none.

    if nargin < 3
        host = '127.0.0.1';
    end
    play = fangnetz_open (bot);
    socket = connect (host, port);
    % MATLAB warns whenever nothing came for a while; between two matches that is no news.
    warning ('off', 'transportlib:client:ReadWarning');
    rest = '';
    while true
        try
            [line, rest] = next_line (socket, rest);
        catch problem
            say (sprintf ('the bridge has hung up (%s)', problem.message));
            return
        end
        [play, answer] = fangnetz_hear (play, line);
        if ~isempty (answer)
            write (socket, uint8 ([answer, char(10)]));
        end
    end
end

function socket = connect (host, port)
% The bridge may need a moment until it listens.
    for trial = 1 : 20
        try
            socket = tcpclient (host, port);
            return
        catch problem
            pause (0.5);
        end
    end
    error ('nobody listens at %s, port %d; is the bridge running? (%s)', host, port, problem.message);
end

function [line, rest] = next_line (socket, rest)
% The next line without its end; what has come after it is the rest.
    ends = find (rest == char (10), 1);
    while isempty (ends)
        rest = [rest, char(read (socket, 1))]; %#ok<AGROW> It waits for one byte.
        if socket.NumBytesAvailable > 0
            rest = [rest, char(read (socket, socket.NumBytesAvailable))]; %#ok<AGROW>
        end
        ends = find (rest == char (10), 1);
    end
    line = rest(1 : ends - 1);
    rest = rest(ends + 1 : end);
end
