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

// MaxEmail is the most characters that an e-mail address may take (RFC 5321,
// section 4.5.3.1.3, without the angle brackets).
const MaxEmail = 254

// ValidEmail reports whether EmailRule holds: the address alone, without a name,
// in the form that browsers take in a field for it (HTML, section 4.10.5.1.5), and with
// the letters of any language (RFC 6531). The documents of the API have the same
// rule as a pattern.
func ValidEmail(email string) bool {
	local, domain, ok := strings.Cut(email, "@")
	size := utf8.RuneCountInString(local)
	return ok && size >= 1 && size <= 64 && !strings.ContainsFunc(local, notInAddress) &&
		utf8.RuneCountInString(email) <= MaxEmail && validDomain(domain)
}

// StoredEmail reports whether versions before took a text for an e-mail address
// from a signed identity, so that a contact may have it: among those are some for
// which ValidEmail does not hold.
func StoredEmail(email string) bool {
	parsed, err := mail.ParseAddress(email)
	return err == nil && parsed.Address == email && len(email) <= MaxEmail
}

// notInAddress reports what no address holds unquoted: control characters, what
// is blank or cannot be seen, and what separates addresses (RFC 5322, section
// 3.2.3).
func notInAddress(r rune) bool {
	return r <= ' ' || r >= 0x7f && r <= 0xa0 || strings.ContainsRune(`"(),:;<>@[\]`, r) || unseen(r) || r == utf8.RuneError
}

// unseen reports the blanks of Unicode beyond U+00A0, and what cannot be seen: it
// turns, joins or divides what is around it.
func unseen(r rune) bool {
	return r == 0xad || r == 0x61c || r == 0x1680 || r == 0x180e || r >= 0x2000 && r <= 0x200f || r >= 0x2028 && r <= 0x202f || r >= 0x205f && r <= 0x206f || r == 0x3000 || r == 0xfeff
}

// validDomain reports whether a domain is made of labels of letters, digits and
// inner dashes (RFC 1123, section 2.1).
func validDomain(domain string) bool {
	for label := range strings.SplitSeq(domain, ".") {
		size := utf8.RuneCountInString(label)
		if size < 1 || size > 63 || label[0] == '-' || strings.HasSuffix(label, "-") || strings.ContainsFunc(label, notInLabel) {
			return false
		}
	}
	return true
}

func notInLabel(r rune) bool {
	if r < 0x80 {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-'
	}
	return notInAddress(r)
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

// A Way is an inbox by which a contact can be written to first.
type Way struct {
	Inbox InboxRef
	Phone Phone // that it leads to, in the messaging application; else ""
}
