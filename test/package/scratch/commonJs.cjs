// A merchant's program as CommonJS. It ends by itself.
const library = require('gateway-sandbox')
const pay = require('./pay.cjs')

void pay(library).then((seen) => process.stdout.write(JSON.stringify(seen)))
