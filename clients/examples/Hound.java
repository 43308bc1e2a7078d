// A bot for Right2Live that needs nothing but Java 17: JSON lines in, JSON lines out.
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

public class Hound {
    record Step(String name, int x, int y) {}

    static final List<Step> DIRECTIONS = List.of(
        new Step("NORTH", 0, -1), new Step("NORTH_EAST", 1, -1), new Step("EAST", 1, 0), new Step("SOUTH_EAST", 1, 1),
        new Step("SOUTH", 0, 1), new Step("SOUTH_WEST", -1, 1), new Step("WEST", -1, 0), new Step("NORTH_WEST", -1, -1));

    private List<?> map = List.of();

    public static void main(String[] arguments) throws IOException {
        var hound = new Hound();
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            try {
                hound.hear((Map<?, ?>) new Reader(line).value());
            } catch (RuntimeException problem) {
                System.err.println(problem);
            }
        }
    }

    void hear(Map<?, ?> message) {
        switch ((String) message.get("type")) {
            case "match_start" -> map = (List<?>) ((Map<?, ?>) message.get("setup")).get("map");
            case "observation" -> {
                String move = think(message);
                String view = move.equals("NONE") ? "" : ",\"view\":\"" + move + "\"";
                System.out.println("{\"type\":\"action\",\"tick\":" + number(message, "tick")
                    + ",\"move\":\"" + move + "\"" + view + "}");
                System.out.flush(); // Without it the line could stay in a buffer.
            }
            case "error" -> System.err.println("the server says: " + message.get("message"));
            default -> { }
        }
    }

    /** RED runs to the nearest opponent in sight, BLUE runs away; with nobody in sight both wander. */
    String think(Map<?, ?> seen) {
        var me = (Map<?, ?>) seen.get("me");
        boolean flees = me.get("team").equals("BLUE");
        var ways = steps(number(me, "x"), number(me, "y"));
        var others = new ArrayList<Step>();
        for (Object one : (List<?>) seen.get("players")) {
            var player = (Map<?, ?>) one;
            if (!player.get("team").equals(me.get("team")))
                others.add(new Step("", number(player, "x"), number(player, "y")));
        }
        if (ways.isEmpty()) return "NONE";
        Step best = ways.get(number(seen, "tick") / 5 % ways.size());
        if (!others.isEmpty()) {
            int[][] far = distances(others);
            for (Step way : ways) {
                int gain = far[way.y][way.x] - far[best.y][best.x];
                if (flees ? gain > 0 : gain < 0) best = way;
            }
        }
        return best.name;
    }

    /** The number of steps from each field to the nearest of some players. */
    int[][] distances(List<Step> players) {
        int[][] far = new int[map.size()][((String) map.get(0)).length()];
        for (int[] row : far) java.util.Arrays.fill(row, Integer.MAX_VALUE);
        var queue = new ArrayDeque<>(players);
        for (Step player : players) far[player.y][player.x] = 0;
        while (!queue.isEmpty()) {
            Step at = queue.remove();
            for (Step next : steps(at.x, at.y)) {
                if (far[next.y][next.x] == Integer.MAX_VALUE) {
                    far[next.y][next.x] = far[at.y][at.x] + 1;
                    queue.add(next);
                }
            }
        }
        return far;
    }

    /** The fields that one step leads to; a diagonal one needs both fields beside it (R3.2). */
    List<Step> steps(int x, int y) {
        var found = new ArrayList<Step>();
        for (Step way : DIRECTIONS)
            if (isFree(x + way.x, y + way.y) && isFree(x + way.x, y) && isFree(x, y + way.y))
                found.add(new Step(way.name, x + way.x, y + way.y));
        return found;
    }

    boolean isFree(int x, int y) {
        if (y < 0 || y >= map.size()) return false;
        String row = (String) map.get(y);
        return x >= 0 && x < row.length() && row.charAt(x) != '#';
    }

    static int number(Map<?, ?> object, String name) {
        return ((Double) object.get(name)).intValue();
    }

    /** Reads a JSON value: objects become maps, lists lists, numbers doubles. */
    static class Reader {
        private final String line;
        private int at = 0;

        Reader(String line) {
            this.line = line;
        }

        Object value() {
            if (take('{')) {
                var fields = new HashMap<String, Object>();
                while (!take('}')) {
                    String name = string();
                    expect(':');
                    fields.put(name, value());
                    take(',');
                }
                return fields;
            }
            if (take('[')) {
                var items = new ArrayList<Object>();
                while (!take(']')) {
                    items.add(value());
                    take(',');
                }
                return items;
            }
            if (peek() == '"') return string();
            int start = at;
            while (",]}\0".indexOf(peek()) < 0) at++;
            String word = line.substring(start, at);
            return switch (word) {
                case "true" -> Boolean.TRUE;
                case "false" -> Boolean.FALSE;
                case "null" -> null;
                default -> Double.valueOf(word);
            };
        }

        private String string() {
            expect('"');
            var text = new StringBuilder();
            while (line.charAt(at) != '"') {
                if (line.charAt(at) == '\\') at++; // \" and \\ ; the others are in no field that a bot needs.
                text.append(line.charAt(at++));
            }
            at++;
            return text.toString();
        }

        private char peek() {
            while (at < line.length() && line.charAt(at) == ' ') at++;
            return at < line.length() ? line.charAt(at) : '\0';
        }

        private boolean take(char sign) {
            if (peek() != sign) return false;
            at++;
            return true;
        }

        private void expect(char sign) {
            if (!take(sign)) throw new IllegalArgumentException("no " + sign + " at " + at + " in " + line);
        }
    }
}
