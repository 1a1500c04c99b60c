/** Colours of the pages, for browsers that are set to light and to dark. */
import { InvalidOptionsError } from '../errors.js'

/** Colours of one scheme, `#rgb` or `#rrggbb`. */
export interface Colors {
  /** Of buttons. Their text is black or white, whichever can be read better. */
  readonly accent: string
  /** Behind the page. */
  readonly background: string
  /** Behind its content. */
  readonly surface: string
  readonly text: string
}

/** What an application says of them. */
export type ColorOptions = Partial<Colors> & { readonly dark?: Partial<Colors> | undefined }

interface Scheme extends Colors {
  readonly quiet: string
  readonly line: string
  readonly edge: string
  readonly problem: string
}

const light: Scheme = {
  accent: '#1d4ed8', background: '#f3f5f9', surface: '#ffffff', text: '#16202e',
  quiet: '#4d5a6b', line: '#dfe4ec', edge: '#6b7787', problem: '#b42318'
}
const dark: Scheme = {
  accent: '#7aa5ff', background: '#0d1219', surface: '#171e29', text: '#e8edf5',
  quiet: '#a9b5c6', line: '#2c3646', edge: '#7d8ba0', problem: '#ff9d92'
}

/** Least contrast of a text (WCAG 2.2, 1.4.3). */
const readable = 4.5

/**
 * The declarations of both schemes, as a style sheet has them.
 * @throws FBK_OAUTH2_INVALID_OPTIONS for colours that cannot be read on one another
 */
export function colorRules ({ dark: ofDark = {}, ...ofLight }: ColorOptions): string {
  const accent = ofLight.accent === undefined ? {} : { accent: ofLight.accent }
  return `:root{color-scheme:light dark;${rules(light, ofLight, 'colors')}}
@media (prefers-color-scheme:dark){:root{${rules(dark, { ...accent, ...ofDark }, 'colors.dark')}}}`
}

function rules (base: Scheme, given: Partial<Colors>, option: string): string {
  const scheme = { ...base, ...given }
  for (const behind of ['surface', 'background'] as const) {
    if (contrast(scheme.text, scheme[behind]) >= readable) continue
    throw new InvalidOptionsError(
      `the options "pages.${option}.text" and "pages.${option}.${behind}" have a contrast below ${readable}: 1; choose others.`
    )
  }
  const readableOr = (color: string): string =>
    [scheme.surface, scheme.background].every(behind => contrast(color, behind) >= readable) ? color : scheme.text
  const { accent, surface } = scheme
  const onAccent = contrast('#ffffff', accent) >= contrast('#000000', accent) ? '#ffffff' : '#000000'
  const edge = contrast(scheme.edge, surface) >= 3 ? scheme.edge : scheme.text
  return Object.entries({
    accent,
    'on-accent': onAccent,
    // A button that looks like what is behind it gets an edge.
    'accent-edge': contrast(accent, surface) >= 3 ? accent : edge,
    background: scheme.background,
    surface,
    text: scheme.text,
    quiet: readableOr(scheme.quiet),
    line: scheme.line,
    edge,
    problem: readableOr(scheme.problem)
  }).map(([name, value]) => `--${name}:${value}`).join(';')
}

/** From 1 to 21 (WCAG 2.2, relative luminance). */
function contrast (one: string, other: string): number {
  const [less, more] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number]
  return (more + 0.05) / (less + 0.05)
}

function luminance (color: string): number {
  const digits = color.length === 4 ? color.replace(/[\da-f]/gi, '$&$&') : color
  const [red, green, blue] = [1, 3, 5].map(at => {
    const part = Number.parseInt(digits.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
