function play = fangnetz_open (place)
% FANGNETZ_OPEN  Find a bot and make ready to play with it.
%
%   PLAY = fangnetz_open (PLACE), where PLACE is the folder of a beschleunigung.m, or that file.
%   Files beside it are found, too, and it may load data from its folder, which becomes the current one.
%   An error says what is wrong if there is no bot, or one that cannot be read.

    if exist (place, 'dir')
        folder = place;
    else
        [folder, name, kind] = fileparts (place);
        if ~exist (place, 'file') || ~strcmp (name, 'beschleunigung') || ~any (strcmp (kind, {'.m', '.p'}))
            error ('there is no bot %s: give a folder with a beschleunigung.m, or this file', place);
        end
    end
    if ~isempty (folder)
        cd (folder);
    end
    folder = pwd;
    addpath (folder);
    file = found (folder);
    play = struct ('folder', folder, 'file', file, 'match', [], 'told', {{}});
end

function file = found (folder)
% The bot's file; it has to be readable, and to be called with two arguments.
    try
        file = which ('beschleunigung');
        inputs = nargin ('beschleunigung');
        outputs = nargout ('beschleunigung');
    catch problem
        if ~exist (fullfile (folder, 'beschleunigung.m'), 'file')
            file = '';
        else
            % The bridge repeats the last line.
            told = problem.message;
            error ('%s\nbeschleunigung.m cannot be read: %s', told, first_line (told));
        end
    end
    if ~strncmp (file, folder, numel (folder))
        error ('the folder %s has no beschleunigung.m', folder);
    end
    if (inputs >= 0 && inputs ~= 2) || outputs == 0
        error ('%s has to begin with: function bes = beschleunigung(spiel, farbe)', file);
    end
end
