"""What the server tells Prometheus, over HTTP, after real matches."""

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from fangnetz_server.tallies import Counts, Tallies, Tally
from support.live_server import LiveServer

Samples = dict[tuple[str, tuple[tuple[str, str], ...]], float]


def read(page: str) -> Samples:
    """Return the value of each sample, by its name and its labels."""
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(page)
        for sample in family.samples
    }


async def metrics(server: LiveServer) -> Samples:
    async with httpx.AsyncClient(base_url=server.http, trust_env=False, timeout=20) as http:
        answer = await http.get("/metrics")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert "_created" not in answer.text
    return read(answer.text)


async def test_two_matches_are_counted(server: LiveServer) -> None:
    await server.play("spaceballs", "ann", "bob")
    await server.play("right2live", "ann", "bob", pace="realtime", tick_ms=20)

    found = await metrics(server)

    for game, reason in (("spaceballs", "timeout"), ("right2live", "max_rounds")):
        label = (("game", game),)
        assert found["fangnetz_ticks_total", label] == 10
        assert found["fangnetz_tick_duration_seconds_count", label] == 10
        assert found["fangnetz_action_latency_seconds_count", label] <= 20
        assert found["fangnetz_matches_over_total", (("game", game), ("reason", reason))] == 1
    # Only a match by the clock can be late.
    assert found["fangnetz_tick_lateness_seconds_count", ()] == 10
    assert found["fangnetz_messages_received_total", (("kind", "ready"), ("status", "ok"))] == 4
    assert found["fangnetz_messages_received_total", (("kind", "action"), ("status", "ok"))] >= 20


async def test_faults_and_refusals_are_counted(server: LiveServer) -> None:
    bot = await server.bot("ann")
    await bot.send_raw("nonsense")
    await bot.next("error")
    await bot.send({"type": "leave", "match": "none"})
    await bot.next("error")

    found = await metrics(server)

    assert found["fangnetz_messages_received_total", (("kind", "fault"), ("status", "not_json"))] == 1
    assert found["fangnetz_messages_received_total", (("kind", "fault"), ("status", "unknown_match"))] == 1
    assert found["fangnetz_connections", (("role", "bot"),)] == 1


@pytest.mark.parametrize(
    ("value", "buckets"),
    [
        (0.0, [1, 1, 1]),
        (1.0, [1, 1, 1]),
        (1.5, [0, 1, 1]),
        (2.0, [0, 1, 1]),
        (2.5, [0, 0, 1]),
    ],
)
def test_a_tally_counts_up_to_each_bound(value: float, buckets: list[int]) -> None:
    tally = Tally([1.0, 2.0])
    tally.note(value)

    assert tally.buckets() == list(zip(["1.0", "2.0", "+Inf"], buckets, strict=True))
    assert tally.sum == value


def test_tallies_and_counts_keep_their_labels_apart() -> None:
    tallies, counts = Tallies("t", "Text.", ["game"], [1.0]), Counts("c", "Text.", ["kind"])
    for game, value in (("a", 0.5), ("b", 3.0), ("a", 4.0)):
        tallies.of(game).note(value)
        counts.add(game)

    (family,) = tallies.collect()
    assert [sample.value for sample in family.samples if sample.name == "t_count"] == [2, 1]
    assert [sample.value for sample in family.samples if sample.name == "t_sum"] == [4.5, 3.0]
    (counted,) = counts.collect()
    assert [(sample.labels["kind"], sample.value) for sample in counted.samples] == [("a", 2), ("b", 1)]
