import neostandard, { resolveIgnoresFromGitignore } from 'neostandard'

const coresOwn = "ModelClass.state is the core's own: ask by the functions of core/src/model/facts.ts."
const perProcess = 'State belongs to the scope or the model that owns it: a second application in the same process must not see it.'

/** The folders of core, the lowest first: nothing imports from a higher one. Folders in one list are on one level. */
const layers = [
  ['query', 'properties', 'instances', 'bus'], ['interfaces'], ['validations'], ['operations'], ['relations'], ['remoting'], ['model']
]
const layerRule = (files, level, allowTypeImports) => ({
  files,
  ignores: ['**/*.test.ts', '**/*.long.ts'],
  rules: {
    '@typescript-eslint/no-restricted-imports': ['error', {
      patterns: [{
        group: [
          ...layers.slice(level + 1).flat().map(folder => `**/${folder}/*`), '../registry.js', '../plugin.js', '../index.js'
        ],
        allowTypeImports,
        message: 'That folder lies higher: hand it in, or move what both need down (packages/docs/architecture.md).'
      }]
    }]
  }
})
const layerRules = [
  ...layers.map((folders, level) => layerRule(folders.map(folder => `packages/core/src/${folder}/**/*.ts`), level, false)),
  // An instance knows the model it is one of.
  layerRule(['packages/core/src/instances/instance.ts'], 0, true)
]

export default [
  ...neostandard({ ts: true, ignores: [...resolveIgnoresFromGitignore(), 'packages/bench/peers/**'] }),
  { rules: { '@stylistic/object-property-newline': 'off' } },
  {
    // Attributes as HTML has them.
    files: ['**/*.tsx'],
    rules: {
      '@stylistic/jsx-quotes': ['error', 'prefer-double'],
      '@stylistic/jsx-tag-spacing': ['error', { beforeSelfClosing: 'never' }],
      'react/jsx-handler-names': 'off'
    }
  },
  {
    // Texts, patterns and addresses are not cut in two.
    files: ['**/*.ts', '**/*.tsx', '**/*.js', '**/*.mjs'],
    rules: {
      '@stylistic/max-len': ['error', {
        code: 120, ignoreStrings: true, ignoreTemplateLiterals: true, ignoreRegExpLiterals: true, ignoreUrls: true
      }]
    }
  },
  {
    files: ['packages/*/src/**/*.ts', 'packages/*/src/**/*.tsx'],
    ignores: ['**/*.test.ts', '**/*.long.ts'],
    rules: {
      'no-console': 'error',
      // What an application's callback or hook hands over as its error goes on as it is.
      'no-throw-literal': 'off',
      'prefer-promise-reject-errors': 'off',
      'no-restricted-syntax': ['error',
        { selector: 'Program > VariableDeclaration[kind="let"], Program > ExportNamedDeclaration > VariableDeclaration[kind="let"]', message: perProcess },
        { selector: 'Program > VariableDeclaration > VariableDeclarator > NewExpression[callee.name=/^(Weak)?(Map|Set)$/][arguments.length=0]', message: perProcess },
        { selector: 'Program > ExpressionStatement > AwaitExpression', message: 'A published entry must be loadable with require(): no top-level await.' }
      ]
    }
  },
  {
    files: ['packages/*/src/**/*.ts', 'test-fixtures/src/**/*.ts'],
    ignores: ['packages/core/**', '**/*.test.ts', '**/*.long.ts'],
    rules: {
      'no-restricted-properties': ['error',
        ...['Model', 'model', 'User', 'AccessToken', 'TokenModel', 'base'].map(object =>
          ({ object, property: 'state', message: coresOwn }))
      ]
    }
  },
  ...layerRules,
  {
    files: ['packages/cli/src/**/*.ts', 'packages/create/src/**/*.ts'],
    rules: { 'no-console': 'off' }
  },
  {
    // Models and boot scripts of small applications are CommonJS, as LoopBack wrote them.
    files: ['test-fixtures/apps/**/*.js', 'packages/bench/app/**/*.js', 'packages/cli/templates/**/*.js'],
    languageOptions: { globals: { module: 'writable', require: 'readonly', exports: 'writable', __dirname: 'readonly', __filename: 'readonly' } }
  },
  {
    // What these declare is there for its type.
    files: ['**/*.test-d.ts'],
    rules: { '@typescript-eslint/no-unused-vars': 'off', 'no-void': 'off' }
  }
]
