import { useState } from "preact/hooks";
import type { Chat } from "./chat";
import { Close, Silent, Sound } from "./icons";
import type { State } from "./state";
import type { Person } from "./types";
import { initials } from "../../../shared/names";
import { phrase } from "./language";

/** A picture, or initials. It is decorative, because the name is next to it. */
export function Face({ person: { name, image } }: { person: Person }) {
  const [broken, setBroken] = useState("");
  return (
    <span class="face" aria-hidden="true">
      {image !== "" && broken !== image ? <img src={image} alt="" referrerpolicy="no-referrer" onError={() => setBroken(image)} /> : initials(name)}
    </span>
  );
}

export function Faces({ team }: { team: readonly Person[] }) {
  return (
    <span class="faces" aria-hidden="true">
      {team.map((person) => (
        <Face key={person.name} person={person} />
      ))}
    </span>
  );
}

/** The buttons for sound and closing, in the corner of every header. */
export function Controls({ chat, state }: { chat: Chat; state: State }) {
  return (
    <div class="controls">
      <button
        type="button"
        class="icon"
        aria-pressed={state.sound}
        aria-label={phrase("controls.sound")}
        title={state.sound ? phrase("controls.on") : phrase("controls.off")}
        onClick={() => chat.setSound(!state.sound)}
      >
        {state.sound ? <Sound /> : <Silent />}
      </button>
      <button type="button" class="icon close" aria-label={phrase("controls.close")} onClick={() => chat.close()}>
        <Close />
      </button>
    </div>
  );
}
