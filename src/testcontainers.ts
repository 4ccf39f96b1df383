// Owns `gateway-sandbox/testcontainers`: the image as a container of a test, with its keys and a connected client.
import { AbstractStartedContainer, GenericContainer, Wait } from 'testcontainers'
import { DEFAULT_PORT } from './address.ts'
import { VERSION } from './app.ts'
import { connectSandbox } from './sandbox.ts'
import type { StartedTestContainer } from 'testcontainers'
import type { ClockText, Sandbox } from './sandbox.ts'

/** Name of the host of a container, as seen from inside. */
const DOCKER_HOST = 'host.docker.internal'

/**
 * The image, ready to start. Its clock is frozen unless told otherwise, as in tests, and callbacks to `localhost` reach the
 * machine that runs the test, where a receiver has to listen on all addresses.
 */
export class GatewaySandboxContainer extends GenericContainer {
  #controlToken: string | undefined

  /** @param image name and tag; the image of this version when left out */
  constructor(image = `gateway-sandbox:${VERSION}`) {
    super(image)
    this.withExposedPorts(DEFAULT_PORT)
      .withEnvironment({ SANDBOX_REWRITE_LOCALHOST: DOCKER_HOST, SANDBOX_JSON: '1' })
      .withExtraHosts([{ host: DOCKER_HOST, ipAddress: 'host-gateway' }])
      .withWaitStrategy(Wait.forHttp('/_sandbox/readyz', DEFAULT_PORT))
      .withClock('frozen')
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

  /** Guards the control API; the connected client knows the token. */
  withControlToken(token: string): this {
    this.#controlToken = token
    return this.withEnvironment({ SANDBOX_CONTROL_TOKEN: token })
  }

  override async start(): Promise<StartedGatewaySandboxContainer> {
    const started = await super.start()
    const url = `http://${started.getHost()}:${started.getMappedPort(DEFAULT_PORT)}`
    const options = this.#controlToken === undefined ? {} : { controlToken: this.#controlToken }
    try {
      const sandbox = await connectSandbox(url, options)
      await sandbox.setUrl(url)
      return new StartedGatewaySandboxContainer(started, await connectSandbox(url, options))
    } catch (error) {
      await started.stop()
      throw error
    }
  }
}

/** A container that is ready, with a client that is connected to it. */
export class StartedGatewaySandboxContainer extends AbstractStartedContainer {
  /** The connected client, of the default world. */
  readonly sandbox: Sandbox

  constructor(started: StartedTestContainer, sandbox: Sandbox) {
    super(started)
    this.sandbox = sandbox
  }

  /** Address of the gateway, as this process reaches it. */
  getUrl(): string {
    return this.sandbox.url
  }

  /** Public key of the default world. */
  getPublicKey(): string {
    return this.sandbox.publicKey
  }

  /** Secret key of the default world. */
  getSecretKey(): string {
    return this.sandbox.secretKey
  }
}
