"""What a tournament leaves behind for people: tables, and the files in which they are given away.

`picture.Picture` is a tournament at one moment, as far as somebody may see it; `csv_file`, `json_file`,
`markdown` and `html` write it down.
"""
