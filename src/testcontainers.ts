// Owns `gateway-sandbox/testcontainers`: the image as a container of a test, with its keys and a connected client.
import { basename } from 'node:path'
import { AbstractStartedContainer, GenericContainer, Wait } from 'testcontainers'
import { DEFAULT_PORT } from './address.ts'
import { PACKAGE } from './version.ts'
import { connectSandbox } from './sandbox.ts'
import { readScenarios } from './scenario/files.ts'
import { checkCallbackAllow } from './world/hostOptions.ts'
import type { RestartOptions, StartedTestContainer } from 'testcontainers'
import type { ClockText, Sandbox } from './sandbox.ts'

/** Name of the host of a container, as seen from inside. */
const DOCKER_HOST = 'host.docker.internal'
/** Where the image finds the files that set up its default world. */
const SCENARIOS = '/scenarios'
/** Rights of a copied file: the server is nobody in particular and has to read it. */
const READABLE = 0o644

/**
 * The image, ready to start. Its clock is frozen unless told otherwise, as in tests, and callbacks to `localhost` reach the
 * machine that runs the test, where a receiver has to listen on all addresses.
 */
export class GatewaySandboxContainer extends GenericContainer {
  readonly #scenarios: string[] = []

  /** @param image name and tag; the image of this version when left out */
  constructor(image = `gateway-sandbox:${PACKAGE.version}`) {
    super(image)
    this.withExposedPorts(DEFAULT_PORT)
      .withEnvironment({ SANDBOX_REWRITE_LOCALHOST: DOCKER_HOST, SANDBOX_JSON: '1' })
      .withExtraHosts([{ host: DOCKER_HOST, ipAddress: 'host-gateway' }])
      .withWaitStrategy(Wait.forHttp('/_sandbox/readyz', DEFAULT_PORT, { abortOnContainerExit: true }))
  }

  /** How clocks begin: `frozen`, `flowing`, an instant (frozen there), or `flowing@` an instant. */
  withClock(clock: ClockText): this {
    return this.withEnvironment({ SANDBOX_CLOCK: typeof clock === 'string' ? clock : clock.toISOString() })
  }

  /** Seed of chance, for runs that repeat. */
  withSeed(seed: string): this {
    return this.withEnvironment({ SANDBOX_SEED: seed })
  }

  /** Choices of the default world, by silence id. */
  withSilences(choices: Record<string, unknown>): this {
    return this.withEnvironment({ SANDBOX_SILENCES: JSON.stringify(choices) })
  }

  /**
   * Sets up the default world as scenario files of this machine say: clock, seed, silences, given and rules, but no steps. What
   * the other methods say wins.
   */
  withScenario(...files: string[]): this {
    for (const source of files) {
      this.#scenarios.push(source)
      // A folder for each, so that two files of one name are both there.
      const target = `${SCENARIOS}/${this.#scenarios.length}/${basename(source)}`
      this.withCopyFilesToContainer([{ source, target, mode: READABLE }])
    }
    return this
  }

  /**
   * The only receivers that webhooks may be sent to, such as `shop.test`, `*.shop.test`, `host:port`, `10.0.0.0/8` or `loopback`.
   * @throws {Misuse} without receivers, and for a text that is none
   */
  withCallbackAllow(...receivers: string[]): this {
    checkCallbackAllow(receivers)
    return this.withEnvironment({ SANDBOX_CALLBACK_ALLOW: receivers.join(',') })
  }

  /** Guards the control API; the connected client knows the token, also where it came by `withEnvironment`. */
  withControlToken(token: string): this {
    return this.withEnvironment({ SANDBOX_CONTROL_TOKEN: token })
  }

  /**
   * Starts it and connects.
   * @throws {ScenarioError} for a file of `withScenario` that is none
   * @throws {Error} when the server ends instead, such as for an option that it refuses, with the last line that it logged
   */
  override async start(): Promise<StartedGatewaySandboxContainer> {
    const scenarios = await readScenarios(this.#scenarios)
    const saysClock = scenarios.some(({ head }) => head.clock !== undefined)
    if (!saysClock && this.environment['SANDBOX_CLOCK'] === undefined) this.withClock('frozen')
    const started = await super.start().catch((error: unknown) => {
      throw endedEarly(this.imageName.string, error)
    })
    try {
      const token = this.environment['SANDBOX_CONTROL_TOKEN']
      return new StartedGatewaySandboxContainer(started, token, await connect(started, token))
    } catch (error) {
      await started.stop()
      throw error
    }
  }
}

/** What a start failed with; a container that ended by itself is said in its own words. */
function endedEarly(image: string, error: unknown): unknown {
  const [, log] = /^Container exited .*? logs: (.*)$/s.exec(error instanceof Error ? error.message : '') ?? []
  const last = log?.trim().split('\n').at(-1)
  return last ? new Error(`${image} ended before it was ready: ${last}`, { cause: error }) : error
}

/** A client of a container that is ready, which is told under which address it is reached. */
async function connect(started: StartedTestContainer, controlToken: string | undefined): Promise<Sandbox> {
  const url = `http://${started.getHost()}:${started.getMappedPort(DEFAULT_PORT)}`
  const options = controlToken === undefined ? {} : { controlToken }
  await (await connectSandbox(url, options)).setUrl(url)
  return connectSandbox(url, options)
}

/** A container that is ready, with a client that is connected to it. */
export class StartedGatewaySandboxContainer extends AbstractStartedContainer {
  readonly #controlToken: string | undefined
  #sandbox: Sandbox

  constructor(started: StartedTestContainer, controlToken: string | undefined, sandbox: Sandbox) {
    super(started)
    this.#controlToken = controlToken
    this.#sandbox = sandbox
  }

  /** The connected client, of the default world. After a restart it is another one. */
  get sandbox(): Sandbox {
    return this.#sandbox
  }

  /** Restarts it and connects anew: the port is another one, and nothing of before is left but the options. */
  override async restart(options?: Partial<RestartOptions>): Promise<void> {
    await super.restart(options)
    this.#sandbox = await connect(this, this.#controlToken)
  }

  /** Address of the gateway, as this process reaches it. */
  getUrl(): string {
    return this.#sandbox.url
  }

  /** Public key of the default world. */
  getPublicKey(): string {
    return this.#sandbox.publicKey
  }

  /** Secret key of the default world. */
  getSecretKey(): string {
    return this.#sandbox.secretKey
  }
}
