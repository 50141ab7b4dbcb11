import pytest
from support.costs import grows_evenly

from git_lerim.sessions.templates import Template, template, typed

ORDER = "From now on always start the services with ./tools/up.sh."


def made(text: str, name: str = "check") -> Template:
    found = template(name, text)
    assert found
    return found


@pytest.mark.parametrize(
    ("text", "prompt", "left"),
    [
        (ORDER, ORDER, "/check"),
        (f"{ORDER}\n\nThen test.\n", f"{ORDER}\r\n\r\nThen test.", "/check"),
        (ORDER, f"{ORDER}\n\nonly the cart", "/check\n\nonly the cart"),
        (ORDER, f"Please listen.\n{ORDER}", "Please listen.\n/check"),
        (f"Fix $1 in $2. {ORDER}", f"Fix tax in a.py. {ORDER}", "/check tax a.py"),
        (f"{ORDER}\n$ARGUMENTS", f"{ORDER}\nthe cart only", "/check\nthe cart only"),
        (f"$ARGUMENTS1.\n{ORDER}", f"a1.\n{ORDER}", "/check a"),
        (f"{{{{args}}}}\n{ORDER}", f"the cart\n{ORDER}", "/check the cart"),
        (f"{ORDER} ${{@:2}}", ORDER, "/check"),
    ],
)
def test_what_remains_of_an_expanded_template_is_what_the_user_typed(
    text: str, prompt: str, left: str
) -> None:
    assert typed(prompt, [made(text)]) == left


def test_output_that_the_agent_inserted_is_nobodys_argument() -> None:
    for text in (f"Look:\n!`cat a`\n{ORDER}", f"!{{cat {{a}}}}\n{ORDER}", f"@{{a.md}} {ORDER}"):
        prompt = f"Look:\nAlways use tabs.\n{ORDER}" if text[0] == "L" else f"Use tabs. {ORDER}"

        assert typed(prompt, [made(text)]) == "/check"


def test_output_of_a_command_with_braces_in_braces_is_nobodys_either() -> None:
    for script in ("awk '{ if (1) { { print } } }'", "{" * 30 + "}" * 30):
        ship = template("ship", f"Look at this output:\n!{{{script}}}\nThen deploy.")

        assert ship is not None
        assert ship.inserted
        assert typed("Look at this output:\nalways push\nThen deploy.", [ship]) == "/ship"


def test_a_brace_that_is_never_closed_inserts_nothing() -> None:
    assert typed("Use !{ in a macro.", [made("Use !{ in a macro.")]) == "/check"


def test_what_stands_before_an_inserted_file_is_nobodys_though_it_is_stored_alone() -> None:
    ship = template("ship", f"Always deploy by hand.\n@{{notes.md}}\n{'Read all of it. ' * 9}")

    assert ship is not None
    assert typed("Always deploy by hand.", [ship]) == "/ship"
    assert typed("Always deploy by hand. Now.", [ship]) == "Always deploy by hand. Now."


def test_an_inserted_file_that_is_stored_alone_is_nobodys_if_the_rest_follows() -> None:
    for text in (f"@{{notes.md}}\n{ORDER}", f"Do it.\n@{{notes.md}}\n{ORDER}"):
        before = "Never use floats." if text[0] == "@" else "Do it."

        assert typed(before, [made(text)], f"\n{ORDER}") == "/check"
        assert typed(before, [made(text)], "Something else.") == before


def test_a_prompt_that_holds_no_template_stays_as_it_was() -> None:
    templates = [made(ORDER), made("Fix the bug in $1 now."), made("Look at !`git diff` again.")]
    for prompt in (f"{ORDER} Please.", "Fix the bug.  \n", "Say this: " + ORDER, "Look at it."):
        assert typed(prompt, templates) == prompt


def test_a_template_with_little_text_of_its_own_is_none() -> None:
    assert template("x", "$ARGUMENTS") is None
    assert template("x", "Fix $1.") is None


def test_the_beginning_of_a_very_long_template_is_enough() -> None:
    long = "\n".join(f"Step {n}: do it." for n in range(3000))

    assert typed(long[:14_000], [made(long)]) == "/check"


def test_of_two_templates_the_longer_counts() -> None:
    assert (
        typed(f"Check it all.\n{ORDER}", [made("Check it all."), made(f"Check it all.\n{ORDER}")])
        == "/check"
    )


def test_a_name_that_is_no_command_is_not_shown() -> None:
    assert typed(ORDER, [made(ORDER, name="use tabs!")]) == "/command"


def test_the_time_grows_with_the_text() -> None:
    hostile = [made("a\n" + "$1 b " * 400 + "c" * 20), made("!`x` aaaaaaaaaaaaa " * 100)]

    assert grows_evenly(lambda n: typed("a\n" * n + "b " * n, hostile), 20_000)
