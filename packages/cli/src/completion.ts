/** `fastback completion`: what a shell needs to complete commands and their options. */

/** Names of commands with their options: `{ serve: ['--port', '-p', …] }`. */
export type CommandOptions = Readonly<Record<string, readonly string[]>>

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = typeof shells[number]

/**
 * The script for a shell. Where no option and no command fits, files are offered.
 *
 * ```js
 * console.log(completionFor('bash', { serve: ['--port'] }))
 * ```
 */
export function completionFor (shell: Shell, commands: CommandOptions): string {
  return { bash, zsh, fish }[shell](commands)
}

const namesOf = (commands: CommandOptions): string => Object.keys(commands).join(' ')

const cases = (commands: CommandOptions, line: (options: string) => string): string[] =>
  Object.entries(commands).map(([name, options]) => `    ${name}) ${line(options.join(' '))} ;;`)

const bash = (commands: CommandOptions): string => [
  '_fastback () {',
  '  local word="${' + 'COMP_WORDS[COMP_CWORD]}" options',
  '  if [ "$COMP_CWORD" -eq 1 ]; then',
  `    COMPREPLY=( $(compgen -W "${namesOf(commands)}" -- "$word") )`,
  '    return',
  '  fi',
  '  case "${' + 'COMP_WORDS[1]}" in',
  ...cases(commands, options => `options="${options}"`),
  '  esac',
  '  case "$word" in',
  '    -*) COMPREPLY=( $(compgen -W "$options" -- "$word") ) ;;',
  '    *) COMPREPLY=( $(compgen -f -- "$word") ) ;;',
  '  esac',
  '}',
  'complete -o filenames -F _fastback fastback'
].join('\n')

const zsh = (commands: CommandOptions): string => [
  '#compdef fastback',
  '_fastback () {',
  '  if (( CURRENT == 2 )); then',
  `    compadd -- ${namesOf(commands)}`,
  '    return',
  '  fi',
  '  local -a options',
  '  case "$words[2]" in',
  ...cases(commands, options => `options=(${options})`),
  '  esac',
  '  if [[ "$PREFIX" == -* ]]; then compadd -- $options; else _files; fi',
  '}',
  'compdef _fastback fastback'
].join('\n')

const fish = (commands: CommandOptions): string => [
  `complete -c fastback -n __fish_use_subcommand -f -a "${namesOf(commands)}"`,
  ...Object.entries(commands).flatMap(([name, options]) => options.map(option =>
    `complete -c fastback -n "__fish_seen_subcommand_from ${name}" ${option.startsWith('--') ? `-l ${option.slice(2)}` : `-s ${option.slice(1)}`}`))
].join('\n')
