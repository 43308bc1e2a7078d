function bes = beschleunigung (spiel, farbe)
% Refuels: flies to the nearest station; when none is left, it keeps away from the opponent.

    if strcmp (farbe, 'rot')
        ich = spiel.rot;
        gegner = spiel.blau;
    else
        ich = spiel.blau;
        gegner = spiel.rot;
    end

    ziel = 1 - gegner.pos;
    kuerzester = Inf;
    for k = 1 : spiel.n_tanke
        abstand = norm (spiel.tanke(k).pos - ich.pos);
        if abstand < kuerzester
            kuerzester = abstand;
            ziel = spiel.tanke(k).pos;
        end
    end
    bes = fangnetz_steuern (spiel, ich, ziel);
end
