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

// ValidName reports whether a name satisfies NameRule.
func ValidName(name string) bool {
	return strings.TrimSpace(name) != "" && utf8.RuneCountInString(name) <= MaxName
}

// MaxEmail is the most characters that an e-mail address may take (RFC 5321,
// section 4.5.3.1.3, without the angle brackets).
const MaxEmail = 254

// ValidEmail reports whether an address satisfies EmailRule: an address without
// a display name, in the form that browsers accept in an e-mail field (HTML,
// section 4.10.5.1.5), and with letters of any language (RFC 6531). The OpenAPI
// documents state the same rule as a pattern.
func ValidEmail(email string) bool {
	local, domain, ok := strings.Cut(email, "@")
	size := utf8.RuneCountInString(local)
	return ok && size >= 1 && size <= 64 && !strings.ContainsFunc(local, notInAddress) &&
		utf8.RuneCountInString(email) <= MaxEmail && validDomain(domain)
}

// StoredEmail reports whether earlier versions accepted a text as the e-mail
// address of a signed identity, so that a contact may still have it. Some such
// texts fail ValidEmail.
func StoredEmail(email string) bool {
	parsed, err := mail.ParseAddress(email)
	return err == nil && parsed.Address == email && len(email) <= MaxEmail
}

// notInAddress reports whether an address may not contain a character without
// quotes: control characters, white space, invisible characters, and the
// characters that separate addresses (RFC 5322, section 3.2.3).
func notInAddress(r rune) bool {
	return r <= ' ' || r >= 0x7f && r <= 0xa0 || strings.ContainsRune(`"(),:;<>@[\]`, r) || unseen(r) || r == utf8.RuneError
}

// unseen reports whether a character is white space beyond U+00A0 or invisible,
// such as direction marks, joiners and separators.
func unseen(r rune) bool {
	return r == 0xad || r == 0x61c || r == 0x1680 || r == 0x180e || r >= 0x2000 && r <= 0x200f || r >= 0x2028 && r <= 0x202f || r >= 0x205f && r <= 0x206f || r == 0x3000 || r == 0xfeff
}

// validDomain reports whether a domain consists of labels of letters, digits
// and inner hyphens (RFC 1123, section 2.1).
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
	Identifier       string // the caller's id for the person; "" for none
	Company          CompanyRef
	CustomAttributes Attributes
	CreatedAt        time.Time
	UpdatedAt        time.Time
	LastActivityAt   time.Time // when the contact last wrote, or was created
	Visitor          bool      // wrote in the chat widget without an identity
	// SignedAt is when the contact first came with a signed identity; zero:
	// never. From then on the identifier is the signed one.
	SignedAt     time.Time
	SignedFields SignedFields
	// IdentityValidAfter is when the contact was signed out everywhere; zero:
	// never. Identities issued earlier are rejected.
	IdentityValidAfter time.Time
}

// SignedFields are the fields of a contact that come from a signed identity,
// besides the identifier. A field that somebody else changes is no longer
// signed.
type SignedFields int64

// The signed fields. Contacts are stored with these numbers.
const (
	SignedName   SignedFields = 1
	SignedEmail  SignedFields = 2
	SignedPhone  SignedFields = 4
	SignedAvatar SignedFields = 8
)

// Has reports whether a field is signed.
func (s SignedFields) Has(field SignedFields) bool { return s&field != 0 }

// A CompanyRef is the part of a company that a contact shows.
type CompanyRef struct {
	ID   ID
	Name string
}

// EmailKey returns the form in which e-mail addresses are compared: it ignores
// case and the Unicode form of letters.
func EmailKey(email string) string { return Composed(strings.ToLower(strings.TrimSpace(email))) }

// PhoneKey returns the form in which phone numbers are compared: the digits of
// E.164, or all digits of a text that is not a phone number. It is "" for "".
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

// E164 returns a phone number in its stored form, "+4915112345678", and any
// other text unchanged.
func E164(phone string) string {
	if number, ok := ParsePhone(phone); ok {
		return number.Display()
	}
	return phone
}

// A Way is an inbox through which a contact can be contacted first.
type Way struct {
	Inbox InboxRef
	Phone Phone // the number it reaches, in the messaging application; else ""
}
