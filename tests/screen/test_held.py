import io

from git_lerim.screen.held import Held


def test_what_is_held_is_printed_in_its_order_at_the_end() -> None:
    held, both = Held(), io.StringIO()
    with held.until_done(both):
        held.write(both, "one ")
        held.write(both, "two ")
        assert both.getvalue() == ""

    assert both.getvalue() == "one two "
    held.write(both, "three")
    assert both.getvalue() == "one two three"


def test_what_is_released_is_printed_at_once_and_so_is_the_rest() -> None:
    held, out = Held(), io.StringIO()
    with held.until_done(out):
        held.write(out, "one ")
        held.release()
        held.write(out, "two")
        assert out.getvalue() == "one two"

    assert out.getvalue() == "one two"
