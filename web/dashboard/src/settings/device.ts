// The device of a session, derived from its user agent.
import { texts } from "./texts";

/* eslint-disable parley/bare-strings -- names of products */
const browsers: readonly [RegExp, string][] = [
  [/\bEdg(A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/Chrome\/|CriOS\/|Chromium\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

const systems: readonly [RegExp, string][] = [
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Macintosh|Mac OS X/, texts.device.aMac],
  [/CrOS/, "ChromeOS"],
  [/Linux|X11/, "Linux"],
];
/* eslint-enable parley/bare-strings */

/** Returns the browser and the system of a user agent, as in "Firefox on Linux". */
export function deviceName(userAgent: string): string {
  const browser = browsers.find(([pattern]) => pattern.test(userAgent))?.[1];
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1];
  if (browser && system) return texts.device.on(browser, system);
  return browser ?? system ?? (userAgent.slice(0, 60) || texts.device.anUnknownDevice);
}
