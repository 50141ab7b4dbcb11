"""Word lists for titles in English: synonyms, function words, negations, opposites."""

from git_lerim.tokens import words

_SYNONYMS = """
break fail crash broke broken fails failing failure choke
exceed longer larger greater bigger over above more
below under less fewer shorter smaller lower beneath
delete remove erase drop deletion removal
begin start launch boot starting startup
stop end quit shut shutdown
create generate produce generation creation
fetch download get
show display print
directory folder dir
repository repo
configuration config configure configured settings setting
database db
environment env
function method
argument parameter param
developer engineer dev
dependency dependencies deps
authentication auth
documentation docs doc
javascript js
typescript ts
kubernetes k8s
postgres postgresql
application app
error exception
message msg
identifier id ids
second sec s
minute min
hour h hr
character char
megabyte mb
gigabyte gb
kilobyte kb
every each per all
validate check verify validation verification
commit check-in
merge merging
deploy deployment rollout release ship
migrate migration
test testing
build compile compilation
encrypt encryption
format formatting
cache caching
log logging
lock locking
queue queuing
schedule scheduled scheduler
retry retries retried
expire expiry expiration
inactivity idle idleness
customer client
"""
# Word → the first of its row.
SAME = {word: row.split()[0] for row in _SYNONYMS.split("\n") for word in row.split()}
NUMBERS = {
    word: str(n)
    for n, word in enumerate(
        words("zero one two three four five six seven eight nine ten eleven twelve")
    )
}
NUMBERS |= {"once": "1", "twice": "2", "thrice": "3", "single": "1"}
HELPING = frozenset(
    words(
        "a actual actually adopt adopts allow allowed allows also always an and any anything"
        " applied applies apply are as at base based bases be because been being but by came can"
        " choose chosen come comes coming correctly could currently did do does doing done ensure"
        " everything execute explicitly favor favors favour favours follow followed follows for"
        " from generally get gets give given gives go goes going had handle handled handles happen"
        " happens has have held hold holds how i if in into involve involves is it its itself just"
        " keep keeping keeps kept let lets lie lies live lives lying made make makes making manage"
        " managed management manages may me might most must my need needed needs now occur occurs"
        " of off on only onto or our ours out own per perform performed performs pick picked please"
        " prefer preferred prefers properly put puts ran read reading reads real really relies rely"
        " require required requires run running runs say says set sets setting shall should side"
        " since so still store stored stores storing strictly such sure take taken takes tell tells"
        " tend than that the their them then there these they thing things this those through time"
        " times to told too touch touched touches up us use used uses using usually via want wants"
        " was way ways we were what when whether which while will with within would write writes"
        " writing written yet you your yours during else otherwise throughout whenever where"
        " wherever"
    )
)
NEGATIVE = frozenset(
    words(
        "aren't avoid avoiding avoids ban banned can't cannot cant denied denies deny didn't"
        " disable disabled disables disabling disallow disallowed doesn't doesnt don't dont forbid"
        " forbidden forbids isn't isnt mustn't neither never no nor not prohibit prohibited refuse"
        " refuses reject rejected rejects shouldn't without won't wont wouldn't "
    )
)
# Opposites of negative words.
POLAR = frozenset(
    words("accept accepted accepts enable enabled enables enabling permit permits permitted ")
)
_PAIRS = (
    "read/write reads/writes reading/writing get/set get/put on/off in/out up/down from/to"
    " with/without give/take come/go"
)
OPPOSITES = [(pair.split("/")[0], pair.split("/")[1]) for pair in _PAIRS.split()]
CONTRASTING = frozenset(word for pair in OPPOSITES for word in pair)
