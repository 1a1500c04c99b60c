/** The option `pages`: as it is written, checked and completed. */
import { Type, type Static } from '@sinclair/typebox'
import { nearest } from '@fastback/core/remote'
import type { FastifyRequest } from 'fastify'
import { InvalidOptionsError } from '../errors.js'
import type { ColorOptions } from './colors.js'
import { builtInLanguages, type Languages } from './language.js'
import { en, type Texts } from './texts/en.js'

/** Pages that an application can replace. */
export const viewNames = [
  'login', 'secondFactor', 'enrolment', 'decision', 'logout', 'loggedOut', 'loggingOut', 'grants', 'account',
  'authenticator', 'recoveryCodes', 'newPasskey', 'device', 'deviceDecision', 'deviceDone', 'error'
] as const
export type ViewName = typeof viewNames[number]

/**
 * Makes a page: the text of it, as HTML. What it puts in, it escapes.
 *
 * ```js
 * const login = ({ action, csrfToken, texts }) => `<form method="post" action="${action}">…`
 * ```
 * @param values what the page shows, with `action`, `csrfToken`, `language` and `texts`
 */
export type PageFunction =
  (values: Readonly<Record<string, unknown>>, request: FastifyRequest) => string | Promise<string>

/** Name of a view of the application, or a function. */
export type PageView = string | PageFunction

const Color = Type.Optional(Type.String({ pattern: '^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$' }))
const Scheme = { accent: Color, background: Color, surface: Color, text: Color }

export const PagesSchema = Type.Object({
  accountPage: Type.Optional(Type.Union([Type.Literal(false), Type.String({ pattern: '^/' })])),
  language: Type.Optional(Type.String({ minLength: 1 })),
  languages: Type.Optional(Type.Unsafe<Readonly<Record<string, Readonly<Partial<Texts>>>>>(
    Type.Record(Type.String(), Type.Record(Type.String(), Type.String()))
  )),
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  logo: Type.Optional(Type.String()),
  colors: Type.Optional(Type.Unsafe<ColorOptions>(Type.Object(
    { ...Scheme, dark: Type.Optional(Type.Object(Scheme, { additionalProperties: false })) },
    { additionalProperties: false }
  ))),
  views: Type.Optional(Type.Unsafe<Readonly<Partial<Record<ViewName, PageView>>>>(Type.Object({})))
}, { additionalProperties: false })
export type PagesOptions = Static<typeof PagesSchema>

export interface PageSettings {
  /** False: pages are as they are without the option. */
  readonly isOn: boolean
  /** Tag of the language for those who prefer none that is there. */
  readonly language: string
  readonly languages: Languages
  readonly name: string | undefined
  readonly logo: string | undefined
  readonly colors: ColorOptions
  readonly views: Readonly<Partial<Record<ViewName, PageView>>>
}

/**
 * Checks the option and fills in what was left out.
 *
 * ```js
 * pageSettings({ language: 'de' }, { decisionView: undefined, warn }).languages.size // 3
 * ```
 * @param given undefined and false: English only, no page for accounts
 * @throws FBK_OAUTH2_INVALID_OPTIONS
 */
export function pageSettings (
  given: boolean | PagesOptions | undefined,
  { decisionView, warn }: { readonly decisionView: string | undefined, readonly warn: (message: string) => void }
): PageSettings {
  const isOn = given !== undefined && given !== false
  const { language = 'en', languages = {}, name, logo, colors = {}, views = {} } = typeof given === 'object' ? given : {}
  const all = isOn ? allLanguages(languages, warn) : new Map([['en', en]])
  const tag = language.toLowerCase()
  if (!all.has(tag)) {
    throw new InvalidOptionsError(
      `the option "pages.language" is "${language}", and there are ${[...all.keys()].join(', ')}; add it to "pages.languages".`
    )
  }
  if (logo !== undefined && !isLogo(logo)) {
    throw new InvalidOptionsError(
      'the option "pages.logo" must be an address that starts with "https://" or "/", or "data:image/png;base64,…" (png, jpeg, gif, webp or avif).'
    )
  }
  checkViews(views)
  const decision = views.decision ?? decisionView
  return {
    isOn, language: tag, languages: all, name, logo, colors,
    views: { ...views, ...decision === undefined ? {} : { decision } }
  }
}

function allLanguages (
  given: Readonly<Record<string, Readonly<Partial<Texts>>>>, warn: (message: string) => void
): Languages {
  const all = new Map(builtInLanguages)
  for (const [tag, texts] of Object.entries(given)) {
    if (!/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,3}$/.test(tag)) {
      throw new InvalidOptionsError(`the option "pages.languages" names "${tag}", which is no tag of a language, such as "fr" or "pt-BR".`)
    }
    for (const key of Object.keys(texts)) {
      if (!Object.hasOwn(en, key)) {
        warn(`OAuth: there is no text "pages.languages.${tag}.${key}"${nearest(key, Object.keys(en)) ?? ''}`)
      }
    }
    // What a language does not have is in English: a later version may have more texts.
    all.set(tag.toLowerCase(), { ...all.get(tag.toLowerCase()) ?? en, ...texts })
  }
  return all
}

/** An image that no script is in: SVG is refused where it is written out. */
function isLogo (logo: string): boolean {
  if (/^data:image\/(png|jpeg|gif|webp|avif);base64,[A-Za-z0-9+/]+={0,2}$/.test(logo)) return true
  if (/^\/(?![/\\])[^\s\\]*$/.test(logo)) return true
  return /^https:\/\/[\w.-]+(:\d+)?(\/|$)/.test(logo) && URL.canParse(logo)
}

function checkViews (views: Readonly<Record<string, unknown>>): void {
  for (const [name, view] of Object.entries(views)) {
    if (!viewNames.includes(name as ViewName)) {
      throw new InvalidOptionsError(`there is no option "pages.views.${name}".${nearest(name, [...viewNames]) ?? ''}`)
    }
    if (typeof view !== 'function' && (typeof view !== 'string' || view === '')) {
      throw new InvalidOptionsError(`the option "pages.views.${name}" must be the name of a view or a function.`)
    }
  }
}

/** Where the page of a user's account is; undefined: there is none. */
export const accountPath = (given: boolean | PagesOptions | undefined): string | false =>
  given === undefined || given === false ? false : (given === true ? undefined : given.accountPage) ?? '/oauth/account'
