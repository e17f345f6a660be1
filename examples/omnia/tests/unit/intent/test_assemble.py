from __future__ import annotations

from omnia.core import Entity
from omnia.intent import Intent, IntentDraft, IntentKind, assemble, build_decoder_prompt
from worlds import KEY_PLACE, build_inn


def draft(content: str = "I greet the innkeeper.", *targets: str) -> IntentDraft:
    return IntentDraft(
        type=IntentKind.DIALOGUE, content=content, target_ids=list(targets), modifiers=["shout"]
    )


def test_the_actor_is_set_by_us_and_people_are_tagged() -> None:
    """A draft becomes the actor's intent with tags for everybody it names."""
    decoded = assemble(build_inn(), "ent-tomas", [draft()])
    assert decoded.intents == (
        Intent(
            actor_id="ent-tomas",
            kind=IntentKind.DIALOGUE,
            content="entity@ent-tomas[I] greet entity@ent-mira[the innkeeper].",
            modifiers=("shout",),
        ),
    )
    assert decoded.warnings == ()


def test_hallucinated_target_ids_are_set_apart() -> None:
    """A target that nobody answers to is kept for the record and aimed at nobody."""
    decoded = assemble(build_inn(), "ent-tomas", [draft("x", "ent-mira", "ent-dragon")])
    assert decoded.intents[0].target_ids == ("ent-mira",)
    assert decoded.intents[0].unresolved_targets == ("ent-dragon",)
    assert decoded.warnings == ("no such target here: ent-dragon",)


def test_a_target_elsewhere_is_no_target() -> None:
    """Somebody in another place cannot be aimed at."""
    world = build_inn()
    world.require_entity("ent-mira").location_id = "loc-cellar"
    decoded = assemble(world, "ent-tomas", [draft("x", "ent-mira")])
    assert decoded.intents[0].unresolved_targets == ("ent-mira",)


def test_a_target_named_twice_counts_once() -> None:
    """Repetition of an id means nothing."""
    decoded = assemble(build_inn(), "ent-tomas", [draft("x", "ent-mira", "ent-mira")])
    assert decoded.intents[0].target_ids == ("ent-mira",)


def test_prose_without_any_intent_is_a_warning() -> None:
    """An empty sequence is allowed, and said."""
    assert assemble(build_inn(), "ent-tomas", []).warnings == ("the prose holds no intent",)


def test_an_ambiguous_name_is_a_warning() -> None:
    """Two people of one name are not told apart by guessing."""
    world = build_inn()
    world.add_entity(Entity(id="ent-ada", location_id="loc-hall"))
    world.require_entity("ent-tomas").aliases["ent-ada"] = "the innkeeper"
    decoded = assemble(world, "ent-tomas", [draft()])
    assert decoded.warnings == ("more than one answers to 'the innkeeper'",)
    assert "entity@ent-mira" not in decoded.intents[0].content


def test_the_prompt_names_those_here_and_the_last_three_of_others() -> None:
    """Who is elsewhere is not listed, nor are the actor's own steps or older ones."""
    world = build_inn()
    world.require_entity("ent-bran").location_id = "loc-cellar"
    steps = [
        Intent(actor_id=who, kind=IntentKind.ACTION, content=f"step {n}")
        for n, who in enumerate(["ent-mira"] * 5 + ["ent-tomas"])
    ]
    prompt = build_decoder_prompt(world, "ent-tomas", "I'm off", steps)
    assert prompt.user.splitlines() == [
        "Here:",
        "the innkeeper = ent-mira",
        "Just before:",
        "step 2",
        "step 3",
        "step 4",
        "Prose:",
        "I am off",
    ]
    assert prompt.viewer == "ent-tomas"
    assert KEY_PLACE not in prompt.user
