/** `fastback add login`: a way in by an account elsewhere, by `@fastback/login`. */
import { UsageError } from '../errors.js'
import type { Generator } from './generator.js'
import { openProject, setNew, writeNew, type Addition, type Project, type Replacing } from './project.js'
import { textOf } from './questions.js'
import { installName } from '../own-package.js'

/** A login as it is asked for. */
export interface NewLogin extends Replacing {
  /** `google`, `github` … */
  readonly provider: string
  /** For a provider of one's own: its issuer. */
  readonly issuer?: string | undefined
}

/** What a provider calls the page where applications are registered. */
const places: Readonly<Record<string, string>> = {
  google: 'https://console.cloud.google.com/apis/credentials',
  microsoft: 'https://entra.microsoft.com, App registrations',
  apple: 'https://developer.apple.com/account/resources/identifiers',
  gitlab: 'https://gitlab.com/-/user_settings/applications',
  linkedin: 'https://www.linkedin.com/developers/apps',
  slack: 'https://api.slack.com/apps',
  facebook: 'https://developers.facebook.com/apps',
  github: 'https://github.com/settings/developers',
  discord: 'https://discord.com/developers/applications',
  x: 'https://developer.x.com',
  keycloak: 'the realm, Clients',
  auth0: 'the tenant, Applications',
  fastback: 'OAuthClientApplication.create({ … }) of the other application',
  oidc: 'the provider'
}
const ofOwnIssuer = ['keycloak', 'auth0', 'fastback', 'oidc']
const component = '@fastback/login'

/**
 * Plans a login: an entry of `providers.json`, a second one to link it, the component, the models of accounts, a page
 * with a button, and the variables of the environment.
 *
 * ```js
 * const { changes, next } = await addLogin('my-app', { provider: 'google' })
 * ```
 * @param dir the application folder
 * @throws FBK_CLI_NO_FOLDER, FBK_CLI_EXISTS; FBK_CLI_USAGE for an unknown provider, or one that needs an issuer
 */
export async function addLogin (dir: string, { provider, issuer, force }: NewLogin): Promise<Addition> {
  const place = places[provider]
  if (place === undefined) throw new UsageError(`"${provider}" is no provider that is known: ${Object.keys(places).join(', ')}.`)
  if (ofOwnIssuer.includes(provider) && issuer === undefined) {
    throw new UsageError(`"${provider}" needs --issuer: its address.`)
  }
  const project = openProject(dir)
  const { changes, layout } = project
  const server = layout.server === '.' ? '' : `${layout.server}/`
  const variable = provider.toUpperCase()
  const common = {
    provider,
    preset: provider,
    ...(issuer === undefined ? {} : { issuer }),
    clientID: `\${${variable}_CLIENT_ID}`,
    clientSecret: `\${${variable}_CLIENT_SECRET}`
  }
  const file = `${server}providers.json`
  setNew(changes, file, [`${provider}-login`], {
    ...common, session: true, authPath: `/auth/${provider}`, callbackPath: `/auth/${provider}/callback`, successRedirect: '/',
    callbackURL: `/auth/${provider}/callback`, failureRedirect: '/login.html', failureQueryString: true
  }, `The provider "${provider}-login"`, { force })
  setNew(changes, file, [`${provider}-link`], {
    ...common, link: true, authPath: `/link/${provider}`, callbackPath: `/link/${provider}/callback`, successRedirect: '/',
    callbackURL: `/link/${provider}/callback`, failureRedirect: '/login.html'
  }, `The provider "${provider}-link"`, { force })
  planComponent(project)
  planModels(project)
  planPage(project, provider, { force })
  planVariables(project, variable)
  return {
    changes,
    warnings: [],
    next: [
      `npm install ${installName('@fastback/login')}`,
      `register the application (${place}), with the addresses <origin>/auth/${provider}/callback and <origin>/link/${provider}/callback`,
      `set ${variable}_CLIENT_ID, ${variable}_CLIENT_SECRET, LOGIN_SECRET and LOGIN_ORIGIN where the server runs (.env.example has them)`,
      'fastback serve'
    ]
  }
}

/** Beside what the folder says already. */
function planComponent ({ changes, layout }: Project): void {
  const there = (changes.readJson(layout.componentConfig) ?? {}) as Record<string, unknown>
  if (component in there || 'loopback-component-passport' in there) return
  changes.setJson(layout.componentConfig, [component], {
    providers: './providers.json',
    secret: `\${${'LOGIN_SECRET'}}`,
    origin: `\${${'LOGIN_ORIGIN'}}`,
    linkForLogin: true,
    tokenInRedirect: 'code',
    generatedEmailDomain: '<provider>.invalid',
    logoutPath: '/logout',
    exchangePath: '/auth/exchange',
    accountPath: '/auth/account-data',
    accountPage: '/auth/account'
  })
}

/** Kept where the users are; published by nobody. */
function planModels ({ changes, layout, config, dataSources }: Project): void {
  const user = Object.entries(config).find(([name]) => name.toLowerCase() === 'user')?.[1]
  const dataSource = user?.dataSource ?? Object.keys(dataSources)[0]
  if (dataSource === undefined) return
  for (const name of ['UserIdentity', 'UserCredential', 'LoginState', 'LoginSession']) {
    if (!(name in config)) changes.setJson(layout.modelConfig, [name], { dataSource, public: false })
  }
}

const button = (provider: string): string =>
  `    <p><a href="/auth/${provider}">Log in with ${provider[0]?.toUpperCase() ?? ''}${provider.slice(1)}</a></p>\n`

/** A page of the folder's own is left alone, but for its mark. */
function planPage ({ changes }: Project, provider: string, { force }: Replacing): void {
  const file = 'client/login.html'
  const mark = '    <!-- logins -->\n'
  const there = changes.read(file)
  if (there === undefined) {
    writeNew(changes, file, `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>Log in</title></head>
  <body>
    <h1>Log in</h1>
${button(provider)}${mark}  </body>
</html>
`, 'The page', { force })
  } else if (there.includes(mark) && !there.includes(button(provider))) {
    changes.write(file, there.replace(mark, () => `${button(provider)}${mark}`))
  }
}

function planVariables ({ changes }: Project, variable: string): void {
  const file = '.env.example'
  const text = changes.read(file) ?? ''
  const wanted: Readonly<Record<string, string>> = {
    [`${variable}_CLIENT_ID`]: '', [`${variable}_CLIENT_SECRET`]: '', LOGIN_SECRET: '',
    LOGIN_ORIGIN: 'http://localhost:3000'
  }
  const missing = Object.entries(wanted).filter(([name]) => !new RegExp(`^${name}=`, 'm').test(text))
  if (missing.length === 0) return
  changes.write(file, `${text === '' || text.endsWith('\n') ? text : `${text}\n`}${missing.map(([name, value]) => `${name}=${value}\n`).join('')}`)
}

export const loginGenerator: Generator = {
  command: 'add login',
  description: 'Let people log in by an account that they have elsewhere',
  questions: [
    {
      kind: 'text', name: 'provider', message: `By which provider? ${Object.keys(places).join(', ')}`, positional: true,
      fault: name => name in places ? undefined : `name one of ${Object.keys(places).join(', ')}.`
    },
    { kind: 'text', name: 'issuer', message: 'Its address, for one of your own (https://id.example)?', default: () => '' }
  ],
  plan: async (dir, answers, { force }) =>
    await addLogin(dir, { provider: textOf(answers.provider) ?? '', issuer: textOf(answers.issuer), force })
}
