function text = first_line (text)
% FIRST_LINE  The first line of a text that may have several.

    text = strtrim (text);
    ends = find (text == char (10), 1);
    if ~isempty (ends)
        text = text(1 : ends - 1);
    end
end
