// A merchant's program as an ES module. It ends by itself.
import * as library from 'gateway-sandbox'
import pay from './pay.cjs'

process.stdout.write(JSON.stringify(await pay(library)))
