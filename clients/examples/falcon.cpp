// A bot for Spaceballs that needs nothing but a C++17 compiler: JSON lines in, JSON lines out.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

// A JSON value: as much of it as a bot reads.
struct Json {
    std::vector<std::string> names;  // of the fields of an object
    std::vector<Json> items;         // of a list, or the values of the fields
    std::string text;                // of a string
    double number = 0;               // of a number; true is 1

    const Json& operator[](const std::string& name) const {
        for (size_t i = 0; i < names.size(); ++i)
            if (names[i] == name) return items[i];
        throw std::runtime_error("there is no field " + name);
    }
};

class Reader {
public:
    explicit Reader(const std::string& line) : at(line.c_str()) {}

    Json value() {
        Json json;
        if (take('{')) {
            if (take('}')) return json;
            do {
                json.names.push_back(string());
                expect(':');
                json.items.push_back(value());
            } while (take(','));
            expect('}');
        } else if (take('[')) {
            if (take(']')) return json;
            do json.items.push_back(value());
            while (take(','));
            expect(']');
        } else if (peek() == '"') {
            json.text = string();
        } else if (word("true")) {
            json.number = 1;
        } else if (!word("false") && !word("null")) {
            char* end;
            json.number = std::strtod(at, &end);
            if (end == at) throw std::runtime_error(std::string("no JSON: ") + at);
            at = end;
        }
        return json;
    }

private:
    const char* at;  // A line ends with a zero, which is part of no JSON value.

    char peek() {
        while (*at == ' ' || *at == '\t' || *at == '\r') ++at;
        return *at;
    }
    bool take(char sign) { return peek() == sign && ++at; }
    void expect(char sign) {
        if (!take(sign)) throw std::runtime_error(std::string("no ") + sign + " before " + at);
    }
    bool word(const std::string& text) {
        if (text.compare(0, text.size(), at, text.size()) != 0) return false;
        at += text.size();
        return true;
    }
    std::string string() {
        std::string text;
        expect('"');
        while (*at && *at != '"') {
            if (*at == '\\' && at[1]) ++at;  // \" and \\ ; the others are in no field that a bot needs.
            text += *at++;
        }
        expect('"');
        return text;
    }
};

struct Vector { double x, y; };

Vector between(const Json& from, const Json& to) {
    return {to["x"].number - from["x"].number, to["y"].number - from["y"].number};
}

// Fly to the nearest station, off the mines; without stations chase the opponent.
Vector think(const Json& seen) {
    const Json& me = seen["me"];
    Vector way = between(me, seen["opponent"]);
    bool first = true;
    for (const Json& station : seen["stations"].items) {
        Vector to = between(me, station);
        if (first || std::hypot(to.x, to.y) < std::hypot(way.x, way.y)) way = to;
        first = false;
    }
    for (const Json& mine : seen["mines"].items) {  // Mines push, the more the nearer they are.
        Vector off = between(mine, me);
        double push = 0.002 / std::pow(std::max(std::hypot(off.x, off.y) - 0.06, 0.001), 2);
        way = {way.x + push * off.x, way.y + push * off.y};
    }
    double pull = 0.1 / std::max(std::hypot(way.x, way.y), 0.001);
    // The speed to have; what is missing to it is the thrust.
    return {pull * way.x - me["vx"].number, pull * way.y - me["vy"].number};
}

int main() {
    for (std::string line; std::getline(std::cin, line);) {
        try {
            Json message = Reader(line).value();
            if (message["type"].text == "observation") {
                Vector thrust = think(message);
                std::cout << "{\"type\":\"action\",\"tick\":" << static_cast<long>(message["tick"].number)
                          << ",\"thrust\":[" << thrust.x << "," << thrust.y << "]}" << std::endl;
                // std::endl flushes; without it the line would stay in a buffer.
            } else if (message["type"].text == "error") {
                std::cerr << "the server says: " << message["message"].text << std::endl;
            }
        } catch (const std::exception& problem) {
            std::cerr << problem.what() << std::endl;
        }
    }
}
