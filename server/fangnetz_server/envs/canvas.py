"""Pictures made of discs and rectangles, for render_mode "rgb_array"."""

import numpy as np

from fangnetz_server.envs.parallel import Picture

__all__ = ["Canvas", "Colour"]

Colour = tuple[int, int, int]


class Canvas:
    """A picture that is being drawn; `pixels` holds it.

    Args:
        height, width: rows and columns.
        ground: the colour of what nothing is drawn on.
    """

    def __init__(self, height: int, width: int, ground: Colour) -> None:
        self.pixels: Picture = np.full((height, width, 3), ground, np.uint8)
        self._rows, self._columns = np.ogrid[:height, :width]

    def disc(self, x: float, y: float, radius: float, colour: Colour) -> None:
        """Draw a disc round column x and row y, of one pixel at least."""
        across, down = self._columns + 0.5 - x, self._rows + 0.5 - y
        self.pixels[across * across + down * down <= max(radius, 0.71) ** 2] = colour

    def rectangle(self, x: int, y: int, width: int, height: int, colour: Colour) -> None:
        """Fill the columns from x on and the rows from y on."""
        self.pixels[y : y + height, x : x + width] = colour
