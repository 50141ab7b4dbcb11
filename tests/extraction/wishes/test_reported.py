from time import process_time

import pytest
from support.costs import grows_evenly

from git_lerim.extraction.wishes.disowned import is_disowned
from git_lerim.extraction.wishes.reported import refuses, relays

REPORTED = [
    "[Never use regex for html, as they say].",
    "[Nie Regex für HTML, wie man so sagt].",
    "[Peter reckons never use mocks in this repo, they lie].",
    "[So um Marek said in standup from now on always use kilo and I told him I'd think about it].",
    "[The new intern proposed from now on we always use yarn and I said no].",
    "[Marek's position is always use yarn, but mine is different].",
    "[From now on always use yarn, that's what Marek put in the channel].",
    "[Never use tabs in this repo]. True or false?",
    "[Always deploy on Fridays]. I told him no.",
    "[Always force push]. I refused.",
    "[Always use tabs, said Bob].",
    "[Always use tabs, Bob says].",
    "[Hooks must never run in loops, according to the docs].",
    "[According to the audit report, we should always pin versions].",
    "[My colleague thinks one should never use singletons, but I disagree].",
    "[Always sleep first, my notes said so, but that is outdated].",
    "[Bob keeps saying we should always use tabs].",
    "[Never use mocks]. This is a quote from a talk.",
    "The old CONTRIBUTING had the line: [always use tabs].",
    "In the last project we had the rule: [never write comments].",
    "[The README says to never write comments]. Not here. Fix the typo.",
    "[People say never write comments]. Not in this project.",
    "[The docs recommend to always use tabs]. They are wrong.",
    "[Eve sagt, wir sollen nie Kommentare schreiben]. Hier nicht.",
    "[Eve veut qu'on n'écrive jamais de commentaires]. Pas ici.",
    "[Eva dice que nunca escribas comentarios]. Aquí no.",
    "[Bob wants us to always deploy from his laptop]. I told him no.",
    "[Eve asked us to always skip the tests]. We refused.",
    "[Bob will, dass wir immer direkt pushen]. Ich habe ihm nein gesagt.",
    "[Bob veut qu'on pousse toujours sur main]. Je lui ai dit non.",
    "[Eve thinks we should always squash]. She is wrong.",
    "[If the auditors ask for it, always sign the tags]. But they did not ask.",
    "[If a client asks, never log the address]. Nobody asked for that.",
    "[Wenn der Kunde fragt, immer loggen]. Aber er hat nicht gefragt.",
    "[I hate it when people say always use force pushes from now on].",
    "[I hate it when the linter says never use print].",
    "[Mich nervt, wenn Leute sagen, immer Tabs zu nehmen sei gut].",
    "[Always ask first is what the old bot wanted].",
    "[The docs told me to always use the beta compiler].",
    "Old instructions: [always use tabs].",
    "Previous rule: [always use tabs].",
    "Deprecated: [always use tabs].",
    "Alte Regel: [immer Tabs verwenden].",
]
OWN = [
    "[I propose that from now on we always use yarn].",
    "[We proposed yarn in standup, so from now on always use yarn].",
    "[From now on always use yarn, that's what I want].",
    "[My position is never use mocks here].",
    "[From now on always use yarn, as I said].",
    "[Always use tabs, as Bob says].",
    "[Always use tabs, I said].",
    "[According to our rules, always use tabs].",
    "[According to the log npm hangs, so always use pnpm].",
    "[Always run the linter, but ignore warnings in vendor/].",
    "[Always pin versions, but it is not needed for tools].",
    "[Deprecated APIs: never use them].",
    "Deprecated APIs: [never use them].",
    "Old browsers: [never add polyfills].",
    "We had a bug: [never call close twice].",
    "Wir hatten einen Fehler: [nie close zweimal aufrufen].",
    "[Always use tabs]. I told you that yesterday.",
    "[Never use mocks]. I said no mocks already.",
    "[Never use mocks]. I told them no mocks, too.",
    "[Always use tabs]. But ask me if you are not sure.",
    "[Always keep the log]. They never read it anyway.",
    "[Always keep the log]. Not only here.",
    "[Immer zuerst einen Test schreiben]. Hier nicht nur Unit-Tests.",
    "[I say always use tabs].",
    "[As I told Bob, always use tabs].",
    "[Always use tabs is what I want].",
    "[Say always `repository`, never `repo`].",
    "[When users say never, store it].",
    "[Always use tabs]. He was right.",
    "[Siempre usa pnpm]. Lo dije ayer.",
    "[Never log the session token]. Not in this project.",
    "[Never write comments]. Not here. Fix the typo.",
    "[Nie Kommentare schreiben]. Hier nicht.",
    "[Ne jamais écrire de commentaires]. Pas ici.",
    "They are wrong about npm. [Always use pnpm here].",
    "[Always use pnpm here]. They are wrong about npm.",
    "[Always use the ORM]. He was wrong to merge that query, by the way.",
    "[Never deploy on Fridays]. We declined that last year, too.",
    "[Never create summary files]. They did not ask for them.",
]


@pytest.mark.parametrize(
    ("prompt", "reported"),
    [*((each, True) for each in REPORTED), *((each, False) for each in OWN)],
)
def test_a_refused_or_reported_order_is_not_the_users(
    prompt: str,
    reported: bool,  # noqa: FBT001
) -> None:
    start, end = prompt.index("["), prompt.index("]") - 1
    text = prompt.replace("[", "").replace("]", "")

    assert is_disowned(text, start, end) is reported


@pytest.mark.parametrize("unit", ["who ", "the a ", "is what ", "but a ", "had a "])
def test_a_long_sentence_costs_little_time_and_in_proportion(unit: str) -> None:
    def judge(size: int) -> None:
        text = (unit * size)[:size]
        refuses(text, text)
        relays(text)

    began = process_time()
    judge(1000)
    assert process_time() - began < 1
    assert grows_evenly(judge, 1000)
