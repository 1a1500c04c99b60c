/** An example for every command, as it can be typed in the folder of an application (generators.md, CL-6). */
const examples: Readonly<Record<string, string>> = {
  new: 'fastback new my-app --template notes',
  serve: 'fastback serve --port 4000 --watch',
  build: 'fastback build --out dist',
  routes: 'fastback routes --json',
  openapi: 'fastback openapi --out openapi.yaml',
  types: 'fastback types --check',
  client: 'fastback client --out web/api.ts',
  migrate: 'fastback migrate --data-source db --dry-run',
  acl: 'fastback acl explain Note create --user 1',
  audit: 'fastback audit --severity medium',
  discover: 'fastback discover db --tables customer,order --dry-run',
  introspect: 'fastback introspect orders.ndjson --model Order',
  upgrade: 'fastback upgrade --fix --only UP-04,UP-06',
  modernize: 'fastback modernize --models Note --dry-run',
  'export-api': 'fastback export-api api.json --version 3.0',
  'import-api': 'fastback import-api petstore.yaml --data-source db --yes',
  add: 'fastback add model Coffee --property title:string! --yes',
  'add model': 'fastback add model Coffee --data-source db --property title:string! --property price:number=0 --yes',
  'add property': 'fastback add property Coffee strength --type number --default 5',
  'add relation': 'fastback add relation Order --type belongsTo --to Customer --inverse --yes',
  'add acl': 'fastback add acl Coffee --role \'$owner\' --permission ALLOW',
  'add datasource': 'fastback add datasource shop --connector postgresql --host localhost --database shop --password --yes',
  'add middleware': 'fastback add middleware compression --phase initial --params \'{"level":4}\' --yes',
  'add boot-script': 'fastback add boot-script counters --yes',
  'add mixin': 'fastback add mixin TimeStamp --model Coffee,Order --yes',
  'add login': 'fastback add login google',
  'add component': 'fastback add component ./components/metrics --options \'{"path":"/metrics"}\'',
  'add remote-method':
    'fastback add remote-method Coffee brew --http "post /brew" --accepts cups:number! --returns ready:boolean --yes',
  'add method': 'fastback add method Coffee prototype.pour --http "post /pour" --yes',
  'add user-model': 'fastback add user-model Member --yes',
  undo: 'fastback undo',
  record: 'fastback record --target http://localhost:3000 --out recordings/shop --port 4000',
  compare: 'fastback compare recordings/shop --against http://localhost:3001 --only GET',
  doctor: 'fastback doctor --env production',
  explain: 'fastback explain FBK_CORE_UNKNOWN_MODEL',
  datasource: 'fastback datasource test db',
  push: 'fastback push keys',
  oauth2: 'fastback oauth2 rotate-keys',
  query: 'fastback query Coffee \'{"where":{"title":"Mocha"}}\' --explain',
  mcp: 'fastback mcp --tools Coffee.find,Coffee.create --user 1',
  rekey: 'fastback rekey Patient --dry-run',
  seed: 'fastback seed seeds/Coffee.json --key title',
  console: 'fastback console --eval \'await Note.count()\'',
  completion: 'fastback completion bash'
}

/** Commands of LoopBack's generator that are not here, and why (GE-X4). */
const absent: Readonly<Record<string, string>> = {
  oracle: 'it installed a driver: npm install it, and use LoopBack\'s connector with @fastback/connector-loopback.',
  zosconnectee: 'its products have their own tools; import-api reads the OpenAPI description that they publish.',
  bluemix: 'the cloud that it wrote files for is gone.'
}

/**
 * The example of a command.
 *
 * ```js
 * exampleOf('add model') // 'fastback add model Coffee …'
 * ```
 */
export const exampleOf = (command: string): string | undefined =>
  Object.hasOwn(examples, command) ? examples[command] : undefined

/** Why there is no such command; undefined where nothing is known of it. */
export const whyAbsent = (command: string): string | undefined =>
  Object.hasOwn(absent, command) ? `There is no command "${command}": ${absent[command]}` : undefined
