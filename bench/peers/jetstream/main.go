// Publishes messages to a JetStream stream kept in files, asynchronously with a window of unacknowledged ones, for some
// seconds; prints how many were acknowledged a second.
//
//	jetstream SERVER_URL SECONDS PAYLOAD WINDOW
package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"log"
	"os"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

func number(text string) int {
	value, err := strconv.Atoi(text)
	if err != nil {
		log.Fatal(err)
	}
	return value
}

// publish sends until the time is over, and gives how many messages were sent.
func publish(stream jetstream.JetStream, payload []byte, end time.Time) (int, error) {
	for count := 0; ; count++ {
		if count%256 == 0 && time.Now().After(end) {
			return count, nil
		}
		message := make([]byte, len(payload))
		binary.LittleEndian.PutUint64(message, uint64(count))
		if _, err := stream.PublishAsync("bench", message, jetstream.WithStallWait(10*time.Second)); err != nil {
			return count, err
		}
	}
}

func main() {
	if len(os.Args) != 5 {
		log.Fatal("usage: jetstream SERVER_URL SECONDS PAYLOAD WINDOW")
	}
	seconds, size, window := number(os.Args[2]), number(os.Args[3]), number(os.Args[4])
	connection, err := nats.Connect(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	defer connection.Close()
	var failed error
	stream, err := jetstream.New(connection, jetstream.WithPublishAsyncMaxPending(window),
		jetstream.WithPublishAsyncErrHandler(func(_ jetstream.JetStream, _ *nats.Msg, err error) { failed = err }))
	if err != nil {
		log.Fatal(err)
	}
	config := jetstream.StreamConfig{Name: "bench", Subjects: []string{"bench"}, Storage: jetstream.FileStorage}
	if _, err := stream.CreateOrUpdateStream(context.Background(), config); err != nil {
		log.Fatal(err)
	}
	begin := time.Now()
	count, err := publish(stream, make([]byte, max(size, 8)), begin.Add(time.Duration(seconds)*time.Second))
	if err != nil {
		log.Fatal(err)
	}
	<-stream.PublishAsyncComplete()
	if failed != nil {
		log.Fatal(failed)
	}
	fmt.Printf("%.0f\n", float64(count)/time.Since(begin).Seconds())
}
