function bes = beschleunigung (spiel, farbe)
% Mirrors: the field is the same on both sides, so it does on its side what the opponent has just done on his. Where
% he crashes, he crashes first.

    if strcmp (farbe, 'rot')
        gegner = spiel.blau;
    else
        gegner = spiel.rot;
    end
    bes = [-gegner.bes(1), gegner.bes(2)];
end
