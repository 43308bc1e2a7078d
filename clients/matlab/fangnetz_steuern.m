function bes = fangnetz_steuern (spiel, ich, ziel)
% FANGNETZ_STEUERN  Where to accelerate to get to a place without touching a mine or a wall.
%
%   BES = fangnetz_steuern (SPIEL, ICH, ZIEL), where SPIEL is what a bot gets, ICH is SPIEL.rot or SPIEL.blau, and ZIEL
%   is a place [x, y]. It flies round mines, no faster than it can still stop at the place.

    minen = reshape ([spiel.mine.pos], 2, [])'; % A row each.
    weit = spiel.mine_radius + ich.radius + 0.01; % To keep from the middle of a mine.
    weg = umweg (minen, weit, ich.pos, ziel) - ich.pos;
    wunsch = weg * 0.8 * sqrt (2 * spiel.bes / max (norm (weg), 1e-9));
    bes = wunsch - ich.ges;
    % The direction that is wanted, or the one nearest to it after which the ball can still stop.
    for winkel = [0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6, -6, 7, -7, 8] * pi / 8
        richtung = einheit (bes) * [cos(winkel), sin(winkel); -sin(winkel), cos(winkel)];
        if kann_danach_halten (spiel, minen, weit, ich, richtung)
            bes = richtung;
            return
        end
    end
    bes = -ich.ges;
end

function ja = kann_danach_halten (spiel, minen, weit, ich, richtung)
% Whether the ball, after a tick under this thrust and one without, can brake before it touches anything.
    tick = 0.05;
    a = spiel.bes * richtung;
    pos = ich.pos + ich.ges * tick + a * tick * (tick + spiel.dt) / 2;
    ges = ich.ges + a * tick;
    weg = ges * (norm (ges) / (2 * spiel.bes) + tick);
    ende = pos + weg;
    rand = ich.radius + 0.004; % At the start a ball is 0.005 from the wall.
    ja = all (ende > rand & ende < 1 - rand) && hindernis (minen, weit, pos, weg) == 0;
end

function k = hindernis (minen, weit, pos, weg)
% The first mine that the straight way from a place comes too near to; 0: none. Away from a mine any way is free.
    k = 0;
    if isempty (minen)
        return
    end
    zur_mine = minen - pos;
    % The share of the way at which it is nearest to each mine.
    anteil = min (zur_mine * weg' / max (weg * weg', 1e-12), 1);
    luecke = sqrt (sum ((zur_mine - anteil * weg) .^ 2, 2));
    anteil(anteil <= 0 | luecke >= weit) = Inf;
    [erster, k] = min (anteil);
    if isinf (erster)
        k = 0;
    end
end

function punkt = umweg (minen, weit, pos, ziel)
% The place itself, or a point beside the mine that is in the way, on the shorter side.
    punkt = ziel;
    for versuch = 1 : 3
        k = hindernis (minen, weit, pos, punkt - pos);
        if k == 0 || norm (minen(k, :) - ziel) < weit
            return
        end
        zur_mine = einheit (minen(k, :) - pos);
        quer = [-zur_mine(2), zur_mine(1)] * 1.25 * weit;
        seiten = [minen(k, :) + quer; minen(k, :) - quer];
        laenge = [0, 0];
        for s = 1 : 2
            laenge(s) = norm (seiten(s, :) - pos) + norm (ziel - seiten(s, :));
            % A point beyond a wall or in another mine is the last resort.
            if any (seiten(s, :) < 0.02 | seiten(s, :) > 0.98) || hindernis (minen, weit, seiten(s, :), [1e-6, 0]) > 0
                laenge(s) = laenge(s) + 10;
            end
        end
        [~, s] = min (laenge);
        punkt = seiten(s, :);
    end
end

function vektor = einheit (vektor)
    vektor = vektor / max (norm (vektor), 1e-12);
end
