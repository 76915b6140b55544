from rooms.slots import free, overlap


def test_apart():
    assert not overlap((540, 600), (660, 720))


def test_within():
    assert overlap((540, 720), (600, 660))


def test_free():
    assert free((540, 1020), [(600, 660)]) == [(540, 600), (660, 1020)]


def test_touching():
    assert not overlap((540, 600), (600, 660))
