#!/usr/bin/env node
// The command `fastback` of this checkout for npx, here and from elsewhere (npx --package CHECKOUT fastback …). Where
// nobody has installed and built, it does that first; what it says about it goes to the standard error.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

if (!existsSync(new URL('../packages/cli/bundle/bin.js', import.meta.url))) {
  // What npx was asked for would become options of each npm and npx below.
  const { npm_config_package: _package, npm_config_call: _call, ...env } = process.env
  for (const [step, says] of [['setup', 'Preparing this checkout of Fastback, once'], ['build', 'Building the packages']]) {
    console.error(says)
    const { status } = spawnSync('npm', ['run', '--silent', step], {
      cwd: root,
      env,
      stdio: ['ignore', 2, 2],
      shell: process.platform === 'win32'
    })
    if (status !== 0) process.exit(1)
  }
}
await import('../packages/cli/bin/fastback.js')
