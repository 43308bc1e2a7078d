function match = look (match, seen)
% LOOK  Bring MATCH.spiel up to an observation: it is then what a bot gets in its next call.

    spiel = match.spiel;
    % As in the course, the step that begins counts: i_t is 1 and t is dt in the first call.
    spiel.i_t = seen.step + 1;
    spiel.t = spiel.i_t * spiel.dt;
    spiel.tanke = places (seen.stations, spiel.tanke_radius);
    spiel.mine = places (seen.mines, spiel.mine_radius);
    spiel.n_tanke = numel (spiel.tanke);
    spiel.n_mine = numel (spiel.mine);
    spiel.(match.farbe) = fly (spiel.(match.farbe), seen.me, match, seen.step);
    spiel.(match.gegner) = fly (spiel.(match.gegner), seen.opponent, match, seen.step);
    match.spiel = spiel;
    match.step = seen.step;
end

function list = places (found, radius)
% A row of circles; jsondecode gives a column, or [] if there is none.
    if isempty (found)
        list = struct ('pos', cell (1, 0), 'radius', radius);
    else
        pos = [[found.x]; [found.y]]';
        list = struct ('pos', num2cell (pos, 2)', 'radius', radius);
    end
end

function one = fly (one, seen, match, step)
    before = one.pos;
    one.pos = [seen.x, seen.y];
    one.ges = [seen.vx, seen.vy];
    one.bes = [seen.ax, seen.ay];
    one.getankt = seen.fuel;
    one.spur = trace (one, before, match, step);
end

function spur = trace (one, before, match, step)
% The way so far, a row a step. A tick is several steps under one acceleration, so its steps follow from its end; where
% ticks were missed, the way between is taken as straight.
    spur = one.spur;
    count = step - match.step;
    if count <= 0
        return
    end
    known = min (count, match.steps_per_tick);
    back = (0 : known - 1)';
    dt = match.spiel.dt;
    way = one.pos - back * one.ges * dt + back .* (back - 1) / 2 * one.bes * dt ^ 2;
    spur(step - back, :) = way;
    gap = count - known;
    share = (1 : gap)' / (gap + 1);
    spur(match.step + (1 : gap), :) = before + share .* (way(end, :) - before);
end
