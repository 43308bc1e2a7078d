function place = place_of (file)
% PLACE_OF  Where a bot gives its answer its value, as FILE:LINE; with several such lines the others in brackets.

    place = file;
    [id, problem] = fopen (file);
    if id < 0 || ~strcmp (problem, '') || isempty (regexp (file, '\.m$', 'once'))
        return
    end
    text = fread (id, [1, Inf], '*char');
    fclose (id);
    lines = regexp (text, '\r?\n', 'split');
    head = find (~cellfun ('isempty', regexp (lines, '^\s*function\>', 'once')), 1);
    if isempty (head)
        return
    end
    name = regexp (lines{head}, 'function\s*\[?\s*(\w+)', 'tokens', 'once');
    given = regexp (lines, ['^[^%#]*\<', name{1}, '\>\s*(\([^)]*\)\s*)?=[^=]'], 'once');
    found = find (~cellfun ('isempty', given));
    found = found(found > head);
    if isempty (found)
        found = head;
    end
    place = sprintf ('%s:%d', file, found(end));
    if numel (found) > 1
        others = sprintf (', %d', found(1 : end - 1));
        place = sprintf ('%s (or line %s)', place, others(3 : end));
    end
end
