package metrics

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"

	"parley"
	"parley/internal/mail"
)

// mails report how many mails are in each state. Each node reports the same. While the
// store does not answer, the metrics are missing.
type mails struct {
	service       *mail.Service
	clock         parley.Clock
	count, oldest *prometheus.Desc
}

func newMails(service *mail.Service, clock parley.Clock) *mails {
	return &mails{
		service: service, clock: clock,
		count:  prometheus.NewDesc("parley_mails", "Mails that are stored, by state.", []string{"state"}, nil),
		oldest: prometheus.NewDesc("parley_mails_waiting_age_seconds", "How long the oldest mail has waited; 0 if none waits.", nil, nil),
	}
}

// Describe implements prometheus.Collector.
func (m *mails) Describe(out chan<- *prometheus.Desc) {
	out <- m.count
	out <- m.oldest
}

// Collect implements prometheus.Collector. It reads the store once.
func (m *mails) Collect(out chan<- prometheus.Metric) {
	counts, err := m.service.Counts().Now(context.Background())
	if err != nil {
		return
	}
	oldest := m.clock.Now()
	now, of := oldest, map[parley.MailState]int{}
	for _, c := range counts {
		of[c.State] = c.Count
		if (c.State == parley.MailWaiting || c.State == parley.MailSending) && c.Oldest.Before(oldest) {
			oldest = c.Oldest
		}
	}
	for _, state := range parley.MailStates {
		out <- prometheus.MustNewConstMetric(m.count, prometheus.GaugeValue, float64(of[state]), string(state))
	}
	out <- prometheus.MustNewConstMetric(m.oldest, prometheus.GaugeValue, now.Sub(oldest).Seconds())
}
