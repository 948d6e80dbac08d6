# The image has the program, the certificates of public authorities, the licences, and nothing else: no shell, no
# package manager. Build it with
#   docker build --build-arg VERSION=1.2.3 --build-arg COMMIT=$(git rev-parse HEAD) -t parley .
FROM --platform=$BUILDPLATFORM golang:1.26.8-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=
ARG COMMIT=
ARG TARGETOS
ARG TARGETARCH
RUN GOOS=$TARGETOS GOARCH=$TARGETARCH sh scripts/compile.sh /out/parley && mkdir /out/data /out/tmp

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY --from=build /src/LICENSE /src/THIRD_PARTY_NOTICES.txt /src/SBOM.cdx.json /usr/share/doc/parley/
COPY --from=build --chown=10001:10001 /out/data /var/lib/parley
COPY --from=build --chown=10001:10001 /out/tmp /tmp
COPY --from=build /out/parley /parley
USER 10001:10001
ENV PARLEY_DATA=/var/lib/parley PARLEY_LISTEN=0.0.0.0:8080
VOLUME /var/lib/parley
EXPOSE 8080
HEALTHCHECK --interval=15s --timeout=5s --start-period=2m --retries=3 CMD ["/parley", "healthcheck"]
ENTRYPOINT ["/parley"]
CMD ["serve"]
