function say (text)
% SAY  Write text to standard error, where the bridge keeps it in its log.

    if isempty (text) || text(end) ~= char (10)
        text = [text, char(10)];
    end
    fprintf (2, '%s', text);
end
