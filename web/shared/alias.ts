// What members call a visitor about whom nothing is known. The server has the same table
// (alias.go); alias.golden.json holds both to it.

export const aliasColors = ["red", "orange", "amber", "yellow", "green", "teal", "cyan", "blue", "indigo", "purple", "pink", "gray"] as const;
export interface Alias {
  name: string;
  color: (typeof aliasColors)[number];
}

const adjectives =
  "Amber Ancient Bold Brave Breezy Bright Brisk Calm Candid Cheery Clever Cosmic Crisp Curious Daring Deft Dreamy Eager Early Easy Fair Fleet Fond Frank Fresh Gentle Glad Golden Grand Happy Hardy Honest Jolly Keen Kind Light Lively Loyal Lucky Mellow Merry Mild Misty Neat Nimble Noble Patient Polite Proud Quick Quiet Rapid Ready Royal Silent Sincere Snowy Solar Steady Sunny Swift Tidy Warm Witty".split(
    " ",
  );
const animals =
  "Badger Beaver Bison Bunting Buzzard Chamois Condor Coyote Crane Curlew Dolphin Eagle Egret Elk Falcon Ferret Finch Fox Gazelle Gecko Goshawk Grouse Hare Hawk Hedgehog Heron Ibex Ibis Jaguar Kestrel Kite Koala Lark Lemur Linnet Lynx Magpie Marmot Marten Merlin Moose Newt Ocelot Okapi Oriole Osprey Otter Owl Panda Pelican Penguin Plover Puffin Quail Raven Robin Seal Sparrow Stork Swallow Swan Tapir Wombat Wren".split(
    " ",
  );

/** The alias of a contact: the same for the same id. Two visitors may share one. */
export function aliasOf(id: string): Alias {
  // FNV-1a, 32 bits
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193) >>> 0;
  const adjective = adjectives[hash % 64] ?? "";
  const animal = animals[(hash >>> 6) % 64] ?? "";
  return { name: `${adjective} ${animal}`, color: aliasColors[(hash >>> 12) % aliasColors.length] ?? "teal" };
}
