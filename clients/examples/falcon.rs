// A bot for Spaceballs that needs nothing but rustc: JSON lines in, JSON lines out.
use std::collections::HashMap;
use std::io::{self, BufRead, Write};

/// A JSON value: as much of it as a bot reads.
enum Json {
    Object(HashMap<String, Json>),
    List(Vec<Json>),
    Text(String),
    Number(f64),
    Other, // true, false and null
}

impl Json {
    fn get(&self, name: &str) -> Result<&Json, String> {
        match self {
            Json::Object(fields) => fields.get(name).ok_or(format!("there is no field {name}")),
            _ => Err(format!("{name} is asked of something that is no object")),
        }
    }
    fn number(&self, name: &str) -> Result<f64, String> {
        match self.get(name)? {
            Json::Number(number) => Ok(*number),
            _ => Err(format!("{name} is no number")),
        }
    }
    fn text(&self, name: &str) -> Result<&str, String> {
        match self.get(name)? {
            Json::Text(text) => Ok(text),
            _ => Err(format!("{name} is no text")),
        }
    }
    fn list(&self, name: &str) -> Result<&[Json], String> {
        match self.get(name)? {
            Json::List(items) => Ok(items),
            _ => Err(format!("{name} is no list")),
        }
    }
}

/// Reads a line; `rest` is what is not read yet.
struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn value(&mut self) -> Result<Json, String> {
        if self.take("{") {
            let mut fields = HashMap::new();
            while !self.take("}") {
                let name = self.string()?;
                self.expect(":")?;
                fields.insert(name, self.value()?);
                self.take(",");
            }
            return Ok(Json::Object(fields));
        }
        if self.take("[") {
            let mut items = Vec::new();
            while !self.take("]") {
                items.push(self.value()?);
                self.take(",");
            }
            return Ok(Json::List(items));
        }
        if self.rest.starts_with('"') {
            return Ok(Json::Text(self.string()?));
        }
        if self.take("true") || self.take("false") || self.take("null") {
            return Ok(Json::Other);
        }
        let end = self.rest.find([',', ']', '}', ' ']).unwrap_or(self.rest.len());
        let number = self.rest[..end].parse().map_err(|_| format!("no JSON: {}", self.rest))?;
        self.rest = &self.rest[end..];
        Ok(Json::Number(number))
    }
    fn string(&mut self) -> Result<String, String> {
        self.expect("\"")?;
        let mut text = String::new();
        let mut signs = self.rest.char_indices();
        while let Some((at, sign)) = signs.next() {
            match sign {
                '"' => {
                    self.rest = &self.rest[at + 1..];
                    return Ok(text);
                }
                // \" and \\ ; the others are in no field that a bot needs.
                '\\' => text.extend(signs.next().map(|(_, escaped)| escaped)),
                _ => text.push(sign),
            }
        }
        Err("a string has no end".to_string())
    }
    fn take(&mut self, word: &str) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(word) {
            Some(rest) => self.rest = rest,
            None => return false,
        }
        true
    }
    fn expect(&mut self, word: &str) -> Result<(), String> {
        if self.take(word) { Ok(()) } else { Err(format!("no {word} before {}", self.rest)) }
    }
}

fn between(from: &Json, to: &Json) -> Result<(f64, f64), String> {
    Ok((to.number("x")? - from.number("x")?, to.number("y")? - from.number("y")?))
}

/// Fly to the nearest station, off the mines; without stations chase the opponent.
fn think(seen: &Json) -> Result<(f64, f64), String> {
    let me = seen.get("me")?;
    let ways: Result<Vec<_>, _> = seen.list("stations")?.iter().map(|station| between(me, station)).collect();
    let nearest = ways?.into_iter().min_by(|a, b| a.0.hypot(a.1).total_cmp(&b.0.hypot(b.1)));
    let (mut x, mut y) = nearest.unwrap_or(between(me, seen.get("opponent")?)?);
    for mine in seen.list("mines")? {
        // Mines push, the more the nearer they are.
        let (dx, dy) = between(mine, me)?;
        let push = 0.002 / (dx.hypot(dy) - 0.06).max(0.001).powi(2);
        (x, y) = (x + push * dx, y + push * dy);
    }
    let pull = 0.1 / x.hypot(y).max(0.001); // The speed to have; what is missing to it is the thrust.
    Ok((pull * x - me.number("vx")?, pull * y - me.number("vy")?))
}

fn answer(line: &str) -> Result<Option<String>, String> {
    let message = Reader { rest: line }.value()?;
    match message.text("type")? {
        "observation" => {
            let (tick, (x, y)) = (message.number("tick")?, think(&message)?);
            Ok(Some(format!("{{\"type\":\"action\",\"tick\":{tick},\"thrust\":[{x},{y}]}}")))
        }
        "error" => Err(format!("the server says: {}", message.text("message")?)),
        _ => Ok(None),
    }
}

fn main() -> io::Result<()> {
    for line in io::stdin().lock().lines() {
        match answer(&line?) {
            Ok(Some(action)) => {
                println!("{action}");
                io::stdout().flush()?; // Without it the line could stay in a buffer.
            }
            Ok(None) => {}
            Err(problem) => eprintln!("{problem}"),
        }
    }
    Ok(())
}
