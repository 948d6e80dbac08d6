package metrics

import (
	"github.com/prometheus/client_golang/prometheus"

	"parley/internal/diskspace"
)

// disks report the room on the disks of the server's folders, as far as the system tells.
type disks struct {
	guard            *diskspace.Guard
	free, all, short *prometheus.Desc
}

func newDisks(guard *diskspace.Guard) *disks {
	return &disks{
		guard: guard,
		free:  prometheus.NewDesc("parley_disk_free_bytes", "Bytes that the server may still write to the disk of a folder.", []string{"folder"}, nil),
		all:   prometheus.NewDesc("parley_disk_bytes", "Size of the disk of a folder.", []string{"folder"}, nil),
		short: prometheus.NewDesc("parley_disk_short", "Whether visitors are refused because a disk is short of room, 1 or 0.", nil, nil),
	}
}

// Describe implements prometheus.Collector.
func (m *disks) Describe(out chan<- *prometheus.Desc) {
	out <- m.free
	out <- m.all
	out <- m.short
}

// Collect implements prometheus.Collector.
func (m *disks) Collect(out chan<- prometheus.Metric) {
	for folder, room := range m.guard.Rooms() {
		out <- prometheus.MustNewConstMetric(m.free, prometheus.GaugeValue, float64(room.Free), folder)
		out <- prometheus.MustNewConstMetric(m.all, prometheus.GaugeValue, float64(room.Total), folder)
	}
	out <- prometheus.MustNewConstMetric(m.short, prometheus.GaugeValue, float64(truth(m.guard.ForVisitors() != nil)))
}
