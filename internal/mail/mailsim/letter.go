package mailsim

import (
	"io"
	"mime"
	"mime/multipart"
	"net/mail"
	"strings"
)

// A Letter is a mail as a person reads it: its headers, and its text in both forms, with
// lines that end as on this machine.
type Letter struct {
	Raw     string
	Headers mail.Header
	Subject string
	Plain   string
	HTML    string
}

// Letter returns the mail as a person reads it. It must have a plain and an HTML part.
func (m Mail) Letter() (Letter, error) {
	l := Letter{Raw: m.Content}
	message, err := mail.ReadMessage(strings.NewReader(m.Content))
	if err != nil {
		return l, err
	}
	l.Headers = message.Header
	if l.Subject, err = new(mime.WordDecoder).DecodeHeader(message.Header.Get("Subject")); err != nil {
		return l, err
	}
	_, parameters, err := mime.ParseMediaType(message.Header.Get("Content-Type"))
	if err != nil {
		return l, err
	}
	parts := multipart.NewReader(message.Body, parameters["boundary"])
	for _, to := range []*string{&l.Plain, &l.HTML} {
		part, err := parts.NextPart()
		if err != nil {
			return l, err
		}
		text, err := io.ReadAll(part) // decoded from quoted-printable
		if err != nil {
			return l, err
		}
		*to = strings.ReplaceAll(string(text), "\r\n", "\n")
	}
	return l, nil
}
