// Charts over days, drawn as SVG in the actual width of the page. A chart is
// one tab stop. The arrow keys move a cursor from day to day; the day under it
// is shown in a box, and announced as the value of a slider. The table of the
// page has the same numbers.
import { useLayoutEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from "react";
import { dayText } from "./days";
import { labelled, type Tick } from "./scale";
import css from "./chart.module.css";
import { texts } from "./texts";

/** One series of values over the days of a chart; null for no value. */
export interface Series {
  name: string;
  values: readonly (number | null)[];
}

interface ChartProps {
  /** The heading of the chart. */
  label: string;
  days: readonly string[];
  /** At most two: the chart has two colours. */
  series: readonly Series[];
  shape: "bars" | "lines";
  ticks: (max: number) => Tick[];
  format: (value: number | null) => string;
}

/** Margins around the plot, in pixels: space for the labels of the axes. The left one is the least; long labels widen it. */
const margin = { top: 12, right: 8, bottom: 24, left: 52 };
/** The width of a digit in a label, rounded up, and the space on both sides of a label, in pixels. */
const digit = 7;
const gaps = 14;
const height = 220;
const tones = [css.first, css.second];

/** Draws series over days, as bars side by side or as lines with gaps. */
export function DayChart({ label, days, series, shape, ticks, format }: ChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const [cursor, setCursor] = useState<number | null>(null);
  const at = cursor !== null && cursor < days.length ? cursor : null;
  const steps = ticks(Math.max(0, ...series.flatMap((s) => s.values.map((v) => v ?? 0))));
  const top = steps.at(-1)?.value ?? 1;
  const start = Math.max(margin.left, gaps + digit * Math.max(...steps.map((step) => step.label.length)));
  const slot = Math.max(0, width - start - margin.right) / Math.max(1, days.length);
  const x = (index: number) => start + slot * (index + 0.5);
  const y = (value: number) => margin.top + (height - margin.top - margin.bottom) * (1 - value / top);
  const said = (index: number) => `${dayText(days[index] ?? "", "full")}: ${series.map((s) => `${s.name} ${format(s.values[index] ?? null)}`).join(", ")}`;

  function point(event: PointerEvent) {
    const left = event.currentTarget.getBoundingClientRect().left;
    const index = Math.floor((event.clientX - left - start) / Math.max(slot, 0.001));
    setCursor(index >= 0 && index < days.length ? index : null);
  }

  function move(event: KeyboardEvent) {
    const target = moved(event.key, at ?? days.length, days.length);
    if (target === undefined) return;
    event.preventDefault();
    setCursor(target);
  }

  return (
    <div
      ref={frame}
      className={css.chart}
      role="slider"
      tabIndex={0}
      aria-label={texts.chart.byDay(label)}
      aria-valuemin={0}
      aria-valuemax={Math.max(0, days.length - 1)}
      aria-valuenow={at ?? 0}
      aria-valuetext={at === null ? texts.chart.keysHint : said(at)}
      aria-readonly
      onPointerMove={point}
      onPointerDown={point}
      onPointerLeave={() => setCursor(null)}
      onBlur={() => setCursor(null)}
      onKeyDown={move}
    >
      <svg width={width} height={height} aria-hidden="true">
        <Axes ticks={steps} days={days} width={width} start={start} x={x} y={y} slot={slot} />
        {at !== null && <rect className={css.cursor} x={x(at) - slot / 2} width={slot} y={margin.top} height={height - margin.top - margin.bottom} />}
        {shape === "bars" ? <Bars series={series} slot={slot} x={x} y={y} /> : <Lines series={series} x={x} y={y} dots={slot > 14} at={at} />}
      </svg>
      {at !== null && <Readout left={x(at)} width={width} title={dayText(days[at] ?? "", "full")} rows={series.map((s) => [s.name, format(s.values[at] ?? null)])} />}
    </div>
  );
}

/** Returns where a key moves the cursor; undefined for any other key. */
function moved(key: string, at: number, count: number): number | undefined {
  const last = count - 1;
  switch (key) {
    case "ArrowRight":
    case "ArrowUp":
      return at > last ? 0 : Math.min(last, at + 1);
    case "ArrowLeft":
    case "ArrowDown":
      return Math.max(0, Math.min(last, at - 1));
    case "PageUp":
      return Math.min(last, at + 7);
    case "PageDown":
      return Math.max(0, Math.min(last, at) - 7);
    case "Home":
      return 0;
    case "End":
      return last;
    default:
      return undefined;
  }
}

interface Place {
  x: (index: number) => number;
  y: (value: number) => number;
}

function Axes({ ticks, days, width, start, x, y, slot }: Place & { ticks: Tick[]; days: readonly string[]; width: number; start: number; slot: number }) {
  return (
    <>
      {ticks.map((tick) => (
        <g key={tick.value}>
          <line className={css.grid} x1={start} x2={width - margin.right} y1={y(tick.value)} y2={y(tick.value)} />
          <text className={css.axis} x={start - 8} y={y(tick.value)} dy="0.32em" textAnchor="end">
            {tick.label}
          </text>
        </g>
      ))}
      {slot > 0 &&
        labelled(days.length, 56 / slot).map((index) => (
          <text key={index} className={css.axis} x={x(index)} y={height - 6} textAnchor={x(index) > width - 28 ? "end" : "middle"}>
            {dayText(days[index] ?? "", "short")}
          </text>
        ))}
    </>
  );
}

function Bars({ series, slot, x, y }: Place & { series: readonly Series[]; slot: number }) {
  const room = Math.min(slot * 0.76, 44);
  const bar = room / series.length;
  return series.map((s, n) => (
    <g key={s.name} className={tones[n]}>
      {s.values.map((value, index) => {
        if (!value) return null;
        return <rect key={index} x={x(index) - room / 2 + n * bar} y={y(value)} width={Math.max(0.5, bar - (bar > 4 ? 1 : 0))} height={Math.max(0, y(0) - y(value))} rx={Math.min(2, bar / 3)} />;
      })}
    </g>
  ));
}

function Lines({ series, x, y, dots, at }: Place & { series: readonly Series[]; dots: boolean; at: number | null }) {
  return series.map((s, n) => (
    <g key={s.name} className={tones[n]}>
      <path className={css.line} d={linePath(s.values, x, y)} />
      {s.values.map((value, index) => {
        const alone = s.values[index - 1] == null && s.values[index + 1] == null;
        if (value === null || !(dots || alone || index === at)) return null;
        return <circle key={index} cx={x(index)} cy={y(value)} r={index === at ? 4 : 2.5} />;
      })}
    </g>
  ));
}

/** Returns a line through the values, interrupted where there is none. */
export function linePath(values: readonly (number | null)[], x: Place["x"], y: Place["y"]): string {
  let down = false;
  let path = "";
  values.forEach((value, index) => {
    if (value !== null) path += `${down ? "L" : "M"}${round(x(index))} ${round(y(value))}`;
    down = value !== null;
  });
  return path;
}

function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}

function Readout({ left, width, title, rows }: { left: number; width: number; title: string; rows: string[][] }) {
  const side = left > width / 2 ? { right: width - left + 12 } : { left: left + 12 };
  return (
    <div className={css.readout} style={side} aria-hidden="true">
      <strong>{title}</strong>
      {rows.map(([name, value], n) => (
        <span key={name} className={css.reading}>
          <i className={`${css.swatch} ${tones[n]}`} />
          {name}
          <b>{value}</b>
        </span>
      ))}
    </div>
  );
}

/** Explains the colours of a chart. */
export function Legend({ names }: { names: readonly string[] }) {
  return (
    <ul className={css.legend}>
      {names.map((name, n) => (
        <li key={name}>
          <i className={`${css.swatch} ${tones[n]}`} aria-hidden="true" />
          {name}
        </li>
      ))}
    </ul>
  );
}

/** Follows the width of an element, in whole pixels. */
function useWidth(frame: React.RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(Math.floor(element.clientWidth)));
    observer.observe(element);
    setWidth(Math.floor(element.clientWidth));
    return () => observer.disconnect();
  }, [frame]);
  return width;
}
