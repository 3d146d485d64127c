from collections import Counter

from raisesum.engine import OFFICIAL_DECKS, Setup, card_names, new_match, parse_cards
from raisesum.engine.shuffle import drawn_lot, shuffled

DECK = OFFICIAL_DECKS["full"].cards


def test_a_shuffle_keeps_the_cards():
    assert sorted(shuffled(DECK, 1, 0)) == list(DECK)
    assert shuffled((), 1, 0) == ()
    assert shuffled(parse_cards("+5"), 1, 0) == parse_cards("+5")


def test_the_same_seed_and_number_give_the_same_order():
    assert shuffled(DECK, 2**127, 3) == shuffled(DECK, 2**127, 3)


def test_another_seed_or_another_number_gives_another_order():
    orders = {shuffled(DECK, seed, number) for seed in range(20) for number in range(20)}
    assert len(orders) == 400


def test_the_order_is_the_same_on_every_machine_and_in_every_version():
    # Stored matches are replayed from their seeds: this order may never change.
    order = card_names(shuffled(parse_cards("+1 +2 +3 +4 +5 +6 +7 +8 +9"), 42, 1))
    assert order == "+7 +2 +4 +8 +3 +1 +6 +5 +9"
    assert [drawn_lot(seed, 4) for seed in range(12)] == [4, 3, 4, 4, 4, 4, 2, 4, 2, 3, 3, 1]


def test_every_card_comes_to_every_place_about_as_often():
    cards = parse_cards("+1 +2 +3 +4 +5")
    places = Counter()
    for seed in range(5000):
        places.update(enumerate(shuffled(cards, seed, 0)))
    assert len(places) == 25
    # 1000 expected of each; six standard deviations are 170.
    assert all(830 < count < 1170 for count in places.values())


def test_a_pair_of_cards_is_in_either_order_about_as_often():
    cards = parse_cards("+1 +2 +3 +4 +5")
    before = sum(order.index(cards[0]) < order.index(cards[1]) for order in _orders(cards, 5000))
    assert 2280 < before < 2720


def _orders(cards, seeds):
    return (shuffled(cards, seed, 7) for seed in range(seeds))


def test_the_lot_falls_on_every_seat_about_as_often():
    for players in (2, 3, 4):
        lots = Counter(drawn_lot(seed, players) for seed in range(6000))
        assert sorted(lots) == list(range(1, players + 1))
        assert all(abs(count - 6000 / players) < 240 for count in lots.values())


def test_the_lot_says_nothing_about_the_order_of_the_cards():
    # Both come from one seed, by streams of their own.
    with_lot = new_match(Setup(2, OFFICIAL_DECKS["full"]), seed=5).state
    chosen = new_match(Setup(2, OFFICIAL_DECKS["full"], first=with_lot.turn), seed=5).state
    assert with_lot.draw_pile == chosen.draw_pile
    assert with_lot.hands == chosen.hands
