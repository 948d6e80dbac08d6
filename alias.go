package parley

import (
	"hash/fnv"
	"strings"
)

// An Alias is what members call a visitor about whom nothing is known, to tell one from
// another. It says nothing about the person, and customers never see it. The JSON of a
// contact still says "Visitor".
type Alias struct {
	Name  string // an adjective and an animal, such as "Swift Heron", in every language
	Color string // one of AliasColors
}

// AliasColors are the colours of aliases.
var AliasColors = strings.Fields("red orange amber yellow green teal cyan blue indigo purple pink gray")

const (
	aliasAdjectives = `Amber Ancient Bold Brave Breezy Bright Brisk Calm Candid Cheery Clever Cosmic Crisp Curious Daring Deft
Dreamy Eager Early Easy Fair Fleet Fond Frank Fresh Gentle Glad Golden Grand Happy Hardy Honest
Jolly Keen Kind Light Lively Loyal Lucky Mellow Merry Mild Misty Neat Nimble Noble Patient Polite
Proud Quick Quiet Rapid Ready Royal Silent Sincere Snowy Solar Steady Sunny Swift Tidy Warm Witty`
	aliasAnimals = `Badger Beaver Bison Bunting Buzzard Chamois Condor Coyote Crane Curlew Dolphin Eagle Egret Elk Falcon Ferret
Finch Fox Gazelle Gecko Goshawk Grouse Hare Hawk Hedgehog Heron Ibex Ibis Jaguar Kestrel Kite Koala
Lark Lemur Linnet Lynx Magpie Marmot Marten Merlin Moose Newt Ocelot Okapi Oriole Osprey Otter Owl
Panda Pelican Penguin Plover Puffin Quail Raven Robin Seal Sparrow Stork Swallow Swan Tapir Wombat Wren`
)

// AliasOf returns the alias of a contact, the same for the same id on every node and
// page (web/shared/alias.ts). There are 49,152, so two visitors may share one.
func AliasOf(id ID) Alias {
	h := fnv.New32a()
	_, _ = h.Write(id.Append(nil)) // never fails
	n := int(h.Sum32())
	adjectives, animals := strings.Fields(aliasAdjectives), strings.Fields(aliasAnimals)
	return Alias{
		Name:  adjectives[n%64] + " " + animals[n/64%64],
		Color: AliasColors[n/4096%len(AliasColors)],
	}
}
