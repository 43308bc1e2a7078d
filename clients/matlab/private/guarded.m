function [bes, fault] = guarded (spiel, farbe)
% GUARDED  Call the bot; FAULT is its error, [] if there was none.

    bes = [];
    fault = [];
    try
        bes = beschleunigung (spiel, farbe);
    catch problem
        fault = problem;
    end
end
