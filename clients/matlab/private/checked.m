function [thrust, problem] = checked (bes)
% CHECKED  The direction in a bot's answer; PROBLEM says what is wrong with one that is none.

    thrust = [0, 0];
    wanted = 'bes has to be a row of two finite numbers, [x, y]';
    if ~isnumeric (bes) && ~islogical (bes)
        problem = sprintf ('%s, not a %s', wanted, class (bes));
    elseif ~isequal (size (bes), [1, 2])
        sizes = sprintf ('x%d', size (bes));
        problem = sprintf ('%s, but its size is %s', wanted, sizes(2 : end));
    elseif ~isreal (bes) || ~all (isfinite (bes))
        problem = sprintf ('%s, not %s', wanted, mat2str (double (bes), 4));
    else
        problem = '';
        thrust = double (bes);
        if max (abs (thrust)) > 1e6 % B2.2: only the direction counts, but numbers that large are refused.
            thrust = thrust / max (abs (thrust));
        end
    end
end
