function play = complain (play, kind, text)
% COMPLAIN  Say something once a kind and match.

    if ~any (strcmp (play.told, kind))
        play.told{end + 1} = kind;
        say (text);
    end
end
