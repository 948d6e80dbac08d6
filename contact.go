package parley

import (
	"net/mail"
	"strings"
	"time"
	"unicode/utf8"
)

// MaxName is the most characters that a name may take.
const MaxName = 255

// NameRule and EmailRule complete "must …" for a field that holds a name or an
// e-mail address.
const (
	NameRule  = "be 1 to 255 characters, not blank"
	EmailRule = "be an e-mail address"
)

// ValidName reports whether NameRule holds.
func ValidName(name string) bool {
	return strings.TrimSpace(name) != "" && utf8.RuneCountInString(name) <= MaxName
}

// ValidEmail reports whether EmailRule holds: the address alone, without a name.
func ValidEmail(email string) bool {
	parsed, err := mail.ParseAddress(email)
	return err == nil && parsed.Address == email
}

// A Contact is a customer: a person, or a group in the messaging application.
type Contact struct {
	ID               ID
	Name             string
	Email            string
	PhoneNumber      string // in E.164, "+4915112345678"; "" for none
	ShopName         string
	AvatarURL        string // "" for none
	Identifier       string // the caller's own id of the person; "" for none
	Company          CompanyRef
	CustomAttributes Attributes
	CreatedAt        time.Time
	UpdatedAt        time.Time
	LastActivityAt   time.Time // when the contact last wrote, or was created
	Visitor          bool      // wrote in the chat widget without an identity
	// SignedAt is when it first came with a signed identity; zero: never. From
	// then on the identifier is the signed one.
	SignedAt     time.Time
	SignedFields SignedFields
	// IdentityValidAfter is when it was signed out everywhere; zero: never.
	// Identities that were issued before are refused.
	IdentityValidAfter time.Time
}

// SignedFields are what a contact has from a signed identity, beside its
// identifier. What is changed by others is signed no more.
type SignedFields int64

// The signed fields.
const (
	SignedName SignedFields = 1 << iota
	SignedEmail
	SignedPhone
	SignedAvatar
)

// Has reports whether a field came signed.
func (s SignedFields) Has(field SignedFields) bool { return s&field != 0 }

// A CompanyRef is the part of a company that a contact shows.
type CompanyRef struct {
	ID   ID
	Name string
}

// EmailKey returns the form of an e-mail address by which contacts match:
// without regard to case and to how Unicode writes a letter.
func EmailKey(email string) string { return Composed(strings.ToLower(strings.TrimSpace(email))) }

// PhoneKey returns the form of a phone number by which contacts match, however
// it is written: the digits of E.164, or of what is no phone number its digits.
// It is "" for "".
func PhoneKey(phone string) string {
	if number, ok := ParsePhone(phone); ok {
		return string(number)
	}
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, phone)
}

// E164 returns a phone number in the form in which it is kept, "+4915112345678",
// and what is no phone number as it stands.
func E164(phone string) string {
	if number, ok := ParsePhone(phone); ok {
		return number.Display()
	}
	return phone
}
